import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { exportJWK, type JWK, SignJWT } from 'jose';
import type { Test } from 'tap';
import { SCOPES, type Scope } from '../../../shared/domain/access/scope.ts';
import type { NewPairing } from '../../../shared/schema/pairing.ts';
import { AUDIENCE } from './stand-in-daemon.ts';

type Algorithm = 'ES256' | 'EdDSA' | 'RS256';

/** A key pair of the proxy. */
interface SigningKey {
  alg: Algorithm;
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
  jwk: JWK;
}

export interface TokenParts {
  scopes?: readonly Scope[];
  /** Replace claims and header parameters; `undefined` removes one. */
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  key?: SigningKey;
}

/** The parts of a hosted proxy that a daemon needs to check its tokens: a key set over HTTP and a private key. */
export interface TestProxy {
  pairing: NewPairing;
  /** The served public keys, which the test may change. */
  keys: JWK[];
  /** How often the keys were requested. */
  readonly asked: number;
  /** Responds instead of the key set. */
  answer: RequestListener | undefined;
  newKey(alg?: Algorithm): Promise<SigningKey>;
  /** The default signing key. */
  key: SigningKey;
  token(parts?: TokenParts): Promise<string>;
  bearer(scopes: readonly Scope[]): Promise<{ authorization: string }>;
  /** Stops the server. */
  close(): Promise<void>;
}

/** Serves a key set on 127.0.0.1 until the end of the test, over TLS if a certificate is given. `now` is in milliseconds. */
export async function testProxy(
  t: Pick<Test, 'teardown'>,
  { tls, now = Date.now }: { tls?: { cert: string; key: string }; now?: () => number } = {},
): Promise<TestProxy> {
  let asked = 0;
  const listener: RequestListener = (request, response) => {
    asked++;
    if (proxy.answer) proxy.answer(request, response);
    else response.setHeader('content-type', 'application/jwk-set+json').end(JSON.stringify({ keys: proxy.keys }));
  };
  const server = (tls ? createSecureServer(tls, listener) : createServer(listener)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http${tls ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const key = await newKey();
  const close = async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  t.teardown(close);

  const proxy: TestProxy = {
    pairing: { issuer, jwksUri: `${issuer}/keys`, ceiling: [...SCOPES], name: 'Test' },
    keys: [key.jwk],
    get asked() {
      return asked;
    },
    answer: undefined,
    newKey,
    key,
    token({ scopes = [], claims, header, key: signer = proxy.key } = {}) {
      const seconds = Math.floor(now() / 1000);
      const payload = {
        iss: issuer,
        aud: AUDIENCE,
        sub: 'account-1',
        client_id: 'bot',
        jti: randomUUID(),
        iat: seconds,
        exp: seconds + 600,
        scope: scopes.join(' '),
        ...claims,
      };
      return new SignJWT(JSON.parse(JSON.stringify(payload)))
        .setProtectedHeader({ alg: signer.alg, kid: signer.kid, typ: 'at+jwt', ...header })
        .sign(signer.privateKey);
    },
    bearer: async (scopes) => ({ authorization: `Bearer ${await proxy.token({ scopes })}` }),
    close,
  };
  return proxy;
}

async function newKey(alg: Algorithm = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = pairOf(alg);
  const kid = randomUUID();
  return { alg, kid, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

function pairOf(alg: Algorithm): { privateKey: KeyObject; publicKey: KeyObject } {
  if (alg === 'RS256') return generateKeyPairSync('rsa', { modulusLength: 2048 });
  return alg === 'ES256' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519');
}
