import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as client from 'openid-client';
import { type Html, html } from '../../shared/node/html.ts';

export interface SampleProgramOptions {
  /** The hosted proxy. */
  issuer: string;
  /** The daemon, as the audience of tokens, and its address at the proxy. */
  resource: string;
  base: string;
  /** Registers this program at the proxy. */
  register(redirectUri: string): Promise<{ client_id: string; client_secret: string }>;
}

interface Server {
  id: string;
  name: string;
  status: string;
}

/**
 * Serves a web page for one visitor, who signs in at the proxy and then starts and stops servers. Everything that a program of your own needs
 * is here: discovery, the code flow with PKCE, requests with the token, and a refresh.
 */
export async function startSampleProgram({
  issuer,
  resource,
  base,
  register,
}: SampleProgramOptions): Promise<{ url: string; close(): void }> {
  const web = createServer((request, response) => {
    respond(request, response).catch((error: Error) => {
      response.writeHead(500, { 'content-type': 'text/html; charset=utf-8' });
      response.end(page(html`<p>That did not work: ${error.message}</p><p><a href="/">Back</a></p>`));
    });
  });
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  const redirectUri = `${url}/callback`;
  const { client_id: id, client_secret: secret } = await register(redirectUri);
  const program = await client.discovery(new URL(issuer), id, secret, client.ClientSecretBasic(secret), {
    algorithm: 'oauth2',
    execute: [client.allowInsecureRequests], // the demo has no certificate
  });
  let begun: { verifier: string; state: string } | undefined;
  let tokens: client.TokenEndpointResponse | undefined;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = new URL(request.url ?? '/', url);
    if (target.pathname === '/sign-in') return redirect(response, await signInAddress());
    if (target.pathname === '/callback') {
      tokens = await client.authorizationCodeGrant(program, target, {
        pkceCodeVerifier: begun?.verifier ?? '',
        expectedState: begun?.state ?? '',
      });
      return redirect(response, '/');
    }
    const [, operation, server] = /^\/(start|stop)\/([a-z0-9-]+)$/.exec(target.pathname) ?? [];
    if (request.method === 'POST' && operation && server) {
      await ask('POST', `/instances/${server}/${operation}`);
      return redirect(response, '/');
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(page(tokens ? serverList(await ask<Server[]>('GET', '/instances')) : WELCOME));
  }

  async function signInAddress(): Promise<string> {
    begun = { verifier: client.randomPKCECodeVerifier(), state: client.randomState() };
    return client.buildAuthorizationUrl(program, {
      redirect_uri: redirectUri,
      scope: 'servers:read servers:write logs:read',
      resource,
      code_challenge: await client.calculatePKCECodeChallenge(begun.verifier),
      code_challenge_method: 'S256',
      state: begun.state,
    }).href;
  }

  /** Sends a request to the Gamekeeper through the proxy. A token lives for ten minutes; then it is renewed once. */
  async function ask<T>(method: string, route: string, { isRenewed = false } = {}): Promise<T> {
    const headers = { authorization: `Bearer ${tokens?.access_token}` };
    const response = await fetch(`${base}${route}`, { method, headers });
    if (response.status === 401 && !isRenewed && tokens?.refresh_token) {
      tokens = await client.refreshTokenGrant(program, tokens.refresh_token, { resource });
      return ask(method, route, { isRenewed: true });
    }
    const body = (await response.json()) as T & { detail?: string };
    if (!response.ok) throw new Error(body.detail ?? `status ${response.status}`);
    return body;
  }

  return {
    url,
    close() {
      web.close();
      web.closeAllConnections();
    },
  };
}

const WELCOME = html`<p>This program wants to show and start your servers.</p>
  <p><a href="/sign-in">Sign in at the proxy</a></p>`;

function serverList(servers: readonly Server[]): Html[] {
  return servers.map(
    ({ id, name, status }) => html`<h2>${name}</h2>
      <p>It is ${status}.</p>
      <form method="post" action="/start/${id}"><button>Start</button></form>
      <form method="post" action="/stop/${id}"><button>Stop</button></form>`,
  );
}

function page(content: Html | Html[]): string {
  return html`<!doctype html>
      <html lang="en">
        <meta name="color-scheme" content="light dark" />
        <title>Sample program</title>
        <h1>Sample program</h1>
        ${content}
      </html>`.markup;
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location }).end();
}
