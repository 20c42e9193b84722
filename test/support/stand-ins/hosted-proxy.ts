import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose';
import { Provider } from 'oidc-provider';
import type { Test } from 'tap';
import type { Scope } from '../../../shared/domain/access/scope.ts';

const ALGORITHM = 'ES256';
/** RFC 8628 counts in seconds; tests do not wait for whole ones. */
const INTERVAL_S = 0.05;

export interface RegisteredDaemon {
  accountId: string;
  name: string;
  publicKey: JWK;
  scopes: Scope[];
}

/** A hosted proxy with the real OAuth server, and the routes of its API that a daemon uses. */
export interface HostedProxy {
  readonly issuer: string;
  /** By daemon id. */
  readonly daemons: Map<string, RegisteredDaemon>;
  /** Ids of grants that have ended. */
  readonly endedGrants: Set<string>;
  /** Requests so far, as `GET /path`. */
  readonly asked: string[];
  /** Responds instead of the proxy. It returns false to let the proxy answer. */
  interfere: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** Approves a code, as the owner of the account does in the browser. */
  approve(userCode: string, accountId?: string): Promise<void>;
  deny(userCode: string): Promise<void>;
  /** Returns an access token for a daemon. */
  token(daemonId: string, scopes: readonly Scope[], claims?: Record<string, unknown>): Promise<string>;
  /** Throws unless the token proves to be the daemon's. */
  checkDaemonToken(token: string, daemonId: string): Promise<void>;
  close(): Promise<void>;
}

/** Serves a proxy on 127.0.0.1 until the end of the test. `codeSeconds`: how long a code is valid. */
export async function hostedProxy(t: Test, { codeSeconds = 600 }: { codeSeconds?: number } = {}): Promise<HostedProxy> {
  const server = createServer((request, response) => handle(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey, publicKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: 'one', alg: ALGORITHM, use: 'sig' };
  const keys: JSONWebKeySet = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: ALGORITHM }] };
  const provider = createProvider(issuer, { jwk, codeSeconds });
  const callback = provider.callback() as RequestListener;
  const daemons = new Map<string, RegisteredDaemon>();
  const asked: string[] = [];
  const endedGrants = new Set<string>();

  const proxy: HostedProxy = {
    issuer,
    daemons,
    endedGrants,
    asked,
    interfere: undefined,
    async approve(userCode, accountId = 'anna') {
      const code = await codeOf(userCode);
      const grant = new provider.Grant({ accountId, clientId: 'gamekeeper-daemon' });
      grant.addResourceScope(`${issuer}/api`, 'daemon:link');
      const grantId = await grant.save();
      Object.assign(code, { accountId, grantId, scope: 'daemon:link', resource: `${issuer}/api` });
      await code.save();
    },
    async deny(userCode) {
      const code = await codeOf(userCode);
      Object.assign(code, { error: 'access_denied', errorDescription: 'the owner refused' });
      await code.save();
    },
    token: (daemonId, scopes, claims = {}) =>
      new SignJWT({ client_id: 'bot', scope: scopes.join(' '), grant_id: 'grant-1', ...claims })
        .setProtectedHeader({ alg: ALGORITHM, kid: 'one', typ: 'at+jwt' })
        .setIssuer(issuer)
        .setAudience(`urn:uuid:${daemonId}`)
        .setSubject('anna')
        .setJti(crypto.randomUUID())
        .setIssuedAt()
        .setExpirationTime('10 min')
        .sign(privateKey),
    async checkDaemonToken(token, daemonId) {
      const daemon = daemons.get(daemonId);
      if (!daemon) throw new Error('there is no such daemon');
      const key = await importJWK(daemon.publicKey, 'EdDSA');
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['EdDSA'],
        typ: 'gamekeeper-link+jwt',
        issuer: daemonId,
        subject: daemonId,
        audience: issuer,
        requiredClaims: ['iat', 'exp', 'jti'],
      });
      if (payload.exp! - payload.iat! > 60) throw new Error('it is valid for too long');
    },
    async close() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  t.teardown(proxy.close);
  return proxy;

  async function codeOf(userCode: string) {
    const code = await provider.DeviceCode.findByUserCode(userCode.replaceAll('-', ''));
    if (!code) throw new Error(`there is no code ${userCode}`);
    return code;
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    asked.push(`${request.method} ${request.url}`);
    if (proxy.interfere?.(request, response)) return;
    // oidc-provider serves the same document under the name of OpenID Connect only.
    if (request.url === '/.well-known/oauth-authorization-server') request.url = '/.well-known/openid-configuration';
    if (request.url?.startsWith('/api/daemons')) void answerApi(request, response);
    else callback(request, response);
  }

  async function answerApi(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = (status: number, body?: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body && JSON.stringify(body));
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    try {
      const aboutGrants = /^\/api\/daemons\/([^/]+)\/grants$/.exec(request.url ?? '')?.[1];
      if (aboutGrants !== undefined) {
        if (!daemons.has(aboutGrants)) {
          answer(401, { code: 'daemon_unknown', detail: 'It is not linked.' });
          return;
        }
        await proxy.checkDaemonToken(token, aboutGrants);
        const { grantIds } = JSON.parse(await text(request)) as { grantIds: string[] };
        answer(200, { ended: grantIds.filter((id) => endedGrants.has(id)) });
        return;
      }
      if (request.method === 'DELETE') {
        const daemonId = request.url?.split('/').at(-1) ?? '';
        await proxy.checkDaemonToken(token, daemonId);
        daemons.delete(daemonId);
        answer(204);
        return;
      }
      const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
        issuer,
        audience: `${issuer}/api`,
        typ: 'at+jwt',
      });
      const { daemonId, proof, ...daemon } = JSON.parse(await text(request));
      const known = daemons.get(daemonId);
      if (known && known.accountId !== payload.sub) {
        answer(409, { code: 'daemon_taken', detail: 'It belongs to another account.' });
        return;
      }
      daemons.set(daemonId, { accountId: payload.sub!, ...daemon });
      answer(known ? 200 : 201, {
        daemonId,
        resource: `urn:uuid:${daemonId}`,
        issuer,
        jwksUri: `${issuer}/jwks`,
        account: payload.sub,
        accountId: payload.sub,
      });
    } catch (error) {
      answer(401, { code: 'unauthenticated', detail: (error as Error).message });
    }
  }
}

function createProvider(issuer: string, { jwk, codeSeconds }: { jwk: JWK; codeSeconds: number }): Provider {
  const provider = new Provider(issuer, {
    jwks: { keys: [jwk] } as never,
    clients: [
      {
        client_id: 'gamekeeper-daemon',
        application_type: 'native',
        grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
        redirect_uris: [],
        response_types: [],
        token_endpoint_auth_method: 'none',
        id_token_signed_response_alg: ALGORITHM,
      },
    ],
    scopes: ['openid', 'daemon:link'],
    ttl: { DeviceCode: codeSeconds, Grant: 600 },
    cookies: { keys: ['only for tests'] },
    features: {
      devInteractions: { enabled: false },
      deviceFlow: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: async () => ({
          scope: 'daemon:link',
          audience: `${issuer}/api`,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: ALGORITHM } },
        }),
      },
    },
    findAccount: async (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  });
  provider.use(async (ctx, next) => {
    await next();
    const body = ctx.body as { user_code?: unknown } | undefined;
    if (ctx.path === '/device/auth' && body?.user_code) ctx.body = { ...body, interval: INTERVAL_S };
  });
  return provider;
}
