/**
 * Who or what comes back under the same name inherits nothing: neither a user what another has left, nor a user what was granted on a
 * server that is gone; and tickets that were not used yet end with the right to have them.
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

/** Opens the console; resolves to a promise of the code that it will be closed with. */
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

t.test('a user of a name that somebody had', async (t) => {
  const first = await signedInUser(gamekeeper, { username: 'ann', role: 'admin' });
  const made = await first.api<{ token: string }>('POST', '/api/tokens', { name: 'bot' });
  const authorization = `Bearer ${made.body.token}`;
  const ticket = await ticketOf(first);
  t.equal((await admin.api('DELETE', '/api/users/ann')).status, 204);
  await signedInUser(gamekeeper, { username: 'ann', role: 'admin' });
  t.equal(await status(first.headers), 401, 'the session');
  t.equal(await status({ authorization }), 401, 'the token');
  await t.rejects(consoleOf(t, {}, `?ticket=${ticket}`), /401/, 'the ticket');
});

t.test('tickets that were not used yet', async (t) => {
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

t.test('a server of a name that another had', async (t) => {
  const granted = await signedInUser(gamekeeper, { username: 'bob', role: 'operator', instances: ['demo'] });
  const ticket = await ticketOf(granted);
  const { closed } = await consoleOf(t, granted.headers);
  const record = homeAt(gamekeeper.home).installed;
  mkdirSync(record, { recursive: true });
  writeFileSync(path.join(record, 'demo.json'), JSON.stringify({ kind: 'demo', version: '0', build: 'old' }));
  t.equal((await gamekeeper.api('DELETE', '/instances/demo?files=delete')).status, 204);
  t.type(await closed, 'number', 'the console is closed');
  t.same(readdirSync(record), [], 'what was installed');
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
  t.equal(await status(granted.headers, '/instances/demo'), 404, 'the grant was on the one before');
  await t.rejects(consoleOf(t, {}, `?ticket=${ticket}`), /401|404/);
});
