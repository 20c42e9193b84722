/**
 * A user or server that is created again with the same name inherits nothing: no sessions, tokens or tickets of the former user, and no
 * grants on the former server. Unused tickets end with the right to use them.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import WebSocket from 'ws';
import { homeAt } from '../../shared/node/files/home.ts';
import { type SignedInUser, signedInAdmin, signedInUser } from '../support/http/signed-in-user.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const gamekeeper = await startGamekeeper(t);
const admin = await signedInAdmin(gamekeeper);
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });

const ticketOf = async ({ api }: SignedInUser) =>
  (await api<{ ticket: string }>('POST', '/api/instances/demo/console-ticket')).body.ticket;

/** Opens the console. `closed` resolves to the close code. */
async function consoleOf(t: Test, headers: Record<string, string>, query = ''): Promise<{ closed: Promise<number> }> {
  const url = new URL(`/ws/instances/demo/console${query}`, gamekeeper.addresses().panel);
  const socket = new WebSocket(url.href.replace(/^http/, 'ws'), { headers });
  t.teardown(() => socket.terminate());
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return { closed: new Promise((resolve) => void socket.once('close', resolve)) };
}

async function status(headers: Record<string, string>, where = '/instances'): Promise<number> {
  return (await gamekeeper.api('GET', where, undefined, headers)).status;
}

t.test('a new user does not inherit the credentials of a deleted one', async (t) => {
  const first = await signedInUser(gamekeeper, { username: 'ann', role: 'admin' });
  const made = await first.api<{ token: string }>('POST', '/api/tokens', { name: 'bot' });
  const authorization = `Bearer ${made.body.token}`;
  const ticket = await ticketOf(first);
  t.equal((await admin.api('DELETE', '/api/users/ann')).status, 204);
  await signedInUser(gamekeeper, { username: 'ann', role: 'admin' });
  t.equal(await status(first.headers), 401, 'session');
  t.equal(await status({ authorization }), 401, 'token');
  await t.rejects(consoleOf(t, {}, `?ticket=${ticket}`), /401/, 'ticket');
});

t.test('an unused ticket ends with the right to it', async (t) => {
  const ends: [username: string, end: (user: SignedInUser) => Promise<{ status: number }>][] = [
    ['out', ({ api }) => api('POST', '/api/logout')],
    ['disabled', () => admin.api('PATCH', '/api/users/disabled', { disabled: true })],
    ['password', () => admin.api('PATCH', '/api/users/password', { password: 'quite another one' })],
    ['grant', () => admin.api('PATCH', '/api/users/grant', { instances: [] })],
  ];
  for (const [username, end] of ends) {
    const user = await signedInUser(gamekeeper, { username, role: 'operator' });
    const ticket = await ticketOf(user);
    t.ok((await end(user)).status < 300, username);
    await t.rejects(consoleOf(t, {}, `?ticket=${ticket}`), /401|404/, username);
  }
});

t.test('a new server does not inherit the grants and records of a deleted one', async (t) => {
  const granted = await signedInUser(gamekeeper, { username: 'bob', role: 'operator', instances: ['demo'] });
  const ticket = await ticketOf(granted);
  const { closed } = await consoleOf(t, granted.headers);
  const record = homeAt(gamekeeper.home).installed;
  mkdirSync(record, { recursive: true });
  writeFileSync(path.join(record, 'demo.json'), JSON.stringify({ kind: 'demo', version: '0', build: 'old' }));
  t.equal((await gamekeeper.api('DELETE', '/instances/demo?files=delete')).status, 204);
  t.type(await closed, 'number', 'the console is closed');
  t.same(readdirSync(record), [], 'the record of the installed software is removed');
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
  t.equal(await status(granted.headers, '/instances/demo'), 404, 'the grant was for the deleted server');
  await t.rejects(consoleOf(t, {}, `?ticket=${ticket}`), /401|404/);
});
