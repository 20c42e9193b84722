/**
 * A page of another site that a signed-in user opens can neither change nor read anything: forged requests, forms, WebSockets, frames,
 * scripts (OWASP: cross-site request forgery, cross-site WebSocket hijacking; RFC 6454).
 */
import t from 'tap';
import WebSocket from 'ws';
import { requestJson } from '../support/http/request-json.ts';
import { signedInAdmin } from '../support/http/signed-in-user.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const gamekeeper = await startGamekeeper(t);
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
const admin = await signedInAdmin(gamekeeper);
const { panel, remote } = gamekeeper.addresses();
const own = new URL(panel);
const cookie = admin.headers.cookie ?? '';

const FOREIGN = [
  'http://evil.example',
  'null',
  'https://127.0.0.1',
  `https://${own.host}`,
  'http://127.0.0.1:1',
  'http://127.0.0.1',
  `http://${own.host}.evil.example`,
  `http://evil.example#${own.host}`,
  `http://evil.example?${own.host}`,
  `http://${own.host}@evil.example`,
  'file://',
  'chrome-extension://abcdef',
  'x',
  '',
];

t.test('requests with the session cookie from another origin are refused', async (t) => {
  for (const origin of [...FOREIGN, undefined]) {
    const headers = { cookie, ...(origin !== undefined && { origin }) };
    for (const [method, where, body] of [
      ['POST', '/instances/demo/start'],
      ['POST', '/api/instances/demo/console-ticket'],
      ['POST', '/instances', { name: 'X', software: 'demo' }],
      ['PUT', '/api/settings', {}],
      ['PUT', '/api/password', { currentPassword: gamekeeper.password, newPassword: 'one that I know' }],
      ['DELETE', '/instances/demo'],
      ['POST', '/api/logout'],
      ['POST', '/api/tokens', { name: 'x' }],
    ] as const) {
      if (where === '/api/logout' && origin === undefined) continue;
      const answer = await requestJson<{ code: string }>(method, new URL(where, panel), { body, headers });
      t.equal(answer.body?.code, 'origin_not_allowed', `${origin}: ${method} ${where}`);
    }
  }
  t.equal((await admin.api('GET', '/api/session')).status, 200, 'the session is still valid');
  t.match((await admin.api('GET', '/instances/demo')).body, { status: 'stopped' });
});

t.test('content types that a form can send are refused', async (t) => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
    '',
  ])
    for (const headers of [admin.headers, { authorization: `Bearer ${await gamekeeper.token()}` }]) {
      const response = await fetch(new URL('/instances', panel), {
        method: 'POST',
        headers: { ...headers, 'content-type': type },
        body: '{"name":"X","software":"demo"}',
      });
      t.equal(response.status, 415, type);
    }
});

t.test('another site cannot sign a user in', async (t) => {
  const body = { username: 'admin', password: gamekeeper.password };
  for (const origin of FOREIGN)
    t.equal(
      (await requestJson('POST', new URL('/api/login', panel), { body, headers: { origin } })).status,
      403,
      origin,
    );
});

t.test('WebSockets from other origins are refused', async (t) => {
  const status = (origin: string | undefined, base: string) =>
    new Promise<number>((resolve, reject) => {
      const url = new URL('/ws/instances/demo/console', base).href.replace(/^http/, 'ws');
      const socket = new WebSocket(url, { headers: { cookie, ...(origin !== undefined && { origin }) } });
      socket.on('error', reject);
      socket.once('open', () => {
        socket.terminate();
        resolve(101);
      });
      socket.once('unexpected-response', (_request, { statusCode }) => {
        resolve(statusCode ?? 0);
        socket.removeAllListeners('error').on('error', () => undefined);
        socket.terminate();
      });
    });
  for (const origin of FOREIGN.filter((one) => one !== '')) t.equal(await status(origin, panel), 403, origin);
  t.equal(await status(own.origin, panel), 101);
  t.equal(await status(own.origin, remote), 404, 'the other listener has no console');
});

t.test('other sites can neither read nor embed responses', async (t) => {
  for (const where of ['/', '/instances', '/api/session', '/openapi.json', '/docs', '/metrics', '/nowhere'])
    for (const method of ['GET', 'OPTIONS']) {
      const response = await fetch(new URL(where, panel), {
        method,
        headers: { origin: 'http://evil.example', cookie, 'access-control-request-method': 'DELETE' },
        redirect: 'manual',
      });
      t.notOk(response.headers.get('access-control-allow-origin'), `${method} ${where}`);
      t.notOk(response.headers.get('access-control-allow-credentials'));
      if (/html/.test(response.headers.get('content-type') ?? ''))
        t.match(response.headers.get('content-security-policy'), /frame-ancestors 'none'/, where);
    }
});

t.test('the session cookie is HttpOnly and SameSite=Strict', async (t) => {
  const body = { username: 'admin', password: gamekeeper.password };
  const answer = await requestJson('POST', new URL('/api/login', panel), { body });
  const [set = ''] = answer.headers.getSetCookie();
  for (const attribute of [/; HttpOnly/i, /; SameSite=Strict/i, /; Path=\//i]) t.match(set, attribute);
  t.notMatch(set, /Domain=/i);
});
