import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Test } from 'tap';

/** Paths and behaviour of a provider, as its documentation describes them. */
export interface ProviderBehaviour {
  authorize: string;
  token: string;
  user: string;
  /** The body for somebody. */
  person: object;
  /** How a wrong code is answered: GitHub does so with status 200. */
  wrongCode: { status: number; body: object };
  /** GitHub answers in a form's encoding unless JSON is asked for. */
  needsAccept?: boolean;
}

export interface ProviderStandIn {
  url: string;
  behaviour: ProviderBehaviour;
  /** Plays the person who allows it: resolves to the address that the provider sends the browser back to. */
  allow(authorization: URL): URL;
  /** The headers of the last request about the person. */
  asked(): IncomingMessage['headers'] | undefined;
}

/** Starts a provider without OpenID Connect on this machine. Codes work once, with the right PKCE verifier, redirect URI and secret. */
export async function startProviderStandIn(t: Test, behaviour: ProviderBehaviour): Promise<ProviderStandIn> {
  const codes = new Map<string, { challenge: string; redirectUri: string }>();
  let asked: IncomingMessage['headers'] | undefined;

  const server = createServer(async (request, response) => {
    const send = (status: number, body: object, type = 'application/json') =>
      response
        .writeHead(status, { 'content-type': type })
        .end(type === 'application/json' ? JSON.stringify(body) : new URLSearchParams(Object.entries(body)).toString());
    if (request.method === 'POST' && request.url === behaviour.token) {
      const form = new URLSearchParams(await text(request));
      const code = codes.get(form.get('code') ?? '');
      codes.delete(form.get('code') ?? '');
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      const isRight =
        code?.challenge === challenge &&
        form.get('redirect_uri') === code.redirectUri &&
        form.get('client_id') === 'id' &&
        form.get('client_secret') === 'secret';
      if (!isRight) return send(behaviour.wrongCode.status, behaviour.wrongCode.body);
      const isJson = !behaviour.needsAccept || request.headers.accept?.includes('application/json');
      const tokens = { access_token: 'a-token', token_type: 'bearer', scope: '' };
      return send(200, tokens, isJson ? 'application/json' : 'application/x-www-form-urlencoded');
    }
    if (request.url === behaviour.user && request.headers.authorization?.toLowerCase() === 'bearer a-token') {
      asked = request.headers;
      return send(200, behaviour.person);
    }
    return send(401, { message: 'Requires authentication' });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.teardown(() => new Promise((resolve) => server.close(resolve)));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behaviour,
    asked: () => asked,
    allow(authorization) {
      const { searchParams: query, pathname } = authorization;
      if (pathname !== behaviour.authorize) throw new Error(`The browser was sent to ${authorization.href}`);
      if (query.get('code_challenge_method') !== 'S256') throw new Error('no PKCE');
      const code = crypto.randomUUID();
      const redirectUri = query.get('redirect_uri') ?? '';
      codes.set(code, { challenge: query.get('code_challenge') ?? '', redirectUri });
      const callback = new URL(redirectUri);
      callback.searchParams.set('code', code);
      callback.searchParams.set('state', query.get('state') ?? '');
      return callback;
    },
  };
}
