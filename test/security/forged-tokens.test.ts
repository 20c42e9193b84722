/**
 * Tokens and tickets that were not issued are refused: forged with another algorithm or key (RFC 8725), truncated, doubled, used twice in
 * parallel, or used after their owner was removed.
 */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SignJWT } from 'jose';
import t, { type Test } from 'tap';
import WebSocket from 'ws';
import { signedInAdmin } from '../support/http/signed-in-user.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const gamekeeper = await startGamekeeper(t);
for (const name of ['demo', 'other']) await gamekeeper.api('POST', '/instances', { name, software: 'demo' });
const admin = await signedInAdmin(gamekeeper);
const token = await gamekeeper.token();

async function ticket(): Promise<string> {
  const answer = await admin.api<{ ticket: string }>('POST', '/api/instances/demo/console-ticket');
  return answer.body.ticket;
}

/** Resolves to the status of a WebSocket handshake; 101 if it is accepted. */
function handshake(t: Test, where: string, headers: Record<string, string> = {}): Promise<number> {
  const socket = new WebSocket(new URL(where, gamekeeper.addresses().panel).href.replace(/^http/, 'ws'), { headers });
  t.teardown(() => socket.terminate());
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(101));
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.once('error', reject);
  });
}

async function refused(t: Test, headers: Record<string, string>, what: string): Promise<void> {
  for (const where of ['/instances', '/api/session', '/api/tokens', '/instances/demo/logs']) {
    const answer = await gamekeeper.api('GET', where, undefined, headers);
    t.match(answer, { status: 401, body: { code: 'unauthenticated' } }, `${what}: ${where}`);
  }
}

t.test('a ticket opens one console once and nothing else', async (t) => {
  const shown = await ticket();
  await refused(t, { authorization: `Bearer ${shown}` }, 'as a bearer');
  await refused(t, { cookie: `RemoteCookies=${shown}` }, 'as a cookie');
  t.equal(
    (await gamekeeper.api('GET', `/instances?ticket=${shown}`, undefined, {})).status,
    401,
    'in the query of a request',
  );
  t.equal((await gamekeeper.api('GET', `/instances/demo/logs?ticket=${shown}`, undefined, {})).status, 401);
  t.equal(
    await handshake(t, `/ws/instances/demo/console?ticket=${shown}`),
    101,
    'the ticket was not used up by the refused requests',
  );
  t.equal(await handshake(t, `/ws/instances/demo/console?ticket=${shown}`), 401, 'it is used up now');
  const another = await ticket();
  t.equal(await handshake(t, `/ws/instances/other/console?ticket=${another}`), 401, 'for another server');
  t.equal(await handshake(t, `/ws/instances/demo/console?ticket=${another}`), 401, 'that attempt used it up');
  const both = await ticket();
  const race = await Promise.all([1, 2, 3].map(() => handshake(t, `/ws/instances/demo/console?ticket=${both}`)));
  t.same(race.sort(), [101, 401, 401], 'once, also in parallel');
  for (const bad of ['', 'x', `${await ticket()}&ticket=${await ticket()}`, '%00', 'a'.repeat(10_000), '__proto__'])
    t.equal(await handshake(t, `/ws/instances/demo/console?ticket=${bad}`), 401, bad.slice(0, 20));
});

t.test('forged tokens are refused', async (t) => {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = (head: string, body: string, key: string) =>
    `${head}.${body}.${createHmac('sha256', key).update(`${head}.${body}`).digest('base64url')}`;
  const withKey = (key: string) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(key.padEnd(32, '\0')));
  const forgeries = [
    `${part({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    `${part({ alg: 'None' })}.${payload}.${signature}`,
    `${part({ alg: 'HS512' })}.${payload}.${signature}`,
    `${part({ alg: 'RS256' })}.${payload}.${signature}`,
    `${header}.${part({ ...claims, scope: 'servers:write' })}.${signature}`,
    `${header}.${payload}.`,
    `${header}.${payload}`,
    `${header}.${payload}.${signature}.${signature}`,
    signed(header, payload, ''),
    signed(header, payload, String(claims.iss)),
    signed(part({ alg: 'HS256', jwk: { kty: 'oct', k: 'AAAA' } }), payload, 'AAAA'),
    signed(part({ alg: 'HS256', kid: '/dev/null' }), payload, ''),
    await withKey(String(claims.iss)),
    await withKey(''),
    `${token} `.repeat(2),
    'x'.repeat(8_000),
  ];
  for (const forgery of forgeries) {
    const answer = await gamekeeper.api('GET', '/instances', undefined, { authorization: `Bearer ${forgery}` });
    t.equal(answer.status, 401, forgery.slice(0, 60));
    t.match(answer.headers.get('www-authenticate'), /error="invalid_token"/);
  }
  // The last base64url character of a signature has unused bits, which must not make another valid token.
  t.equal((await gamekeeper.api('GET', '/instances', undefined, { authorization: `Bearer ${token}` })).status, 200);
});

t.test('tickets are refused when truncated, expired, or of a removed user', async (t) => {
  const shown = await ticket();
  t.equal(await handshake(t, `/ws/instances/demo/console?ticket=${shown.slice(0, -1)}`), 401, 'a truncated one');
  const life = await admin.api<{ ticket: string; expiresAt: string }>('POST', '/api/instances/demo/console-ticket');
  const seconds = (Date.parse(life.body.expiresAt) - Date.now()) / 1000;
  t.ok(seconds <= 30 && seconds > 20, `it expires after ${seconds} s`);
  await admin.api('POST', '/api/logout');
  await sleep(0);
  t.equal(await handshake(t, `/ws/instances/demo/console?ticket=${life.body.ticket}`), 401, 'of a removed user');
});
