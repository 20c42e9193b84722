/**
 * What is open ends with the right to have it (CVE-2025-68954 and GHSA-hr7j-63v7-vj7g of Wings and the Panel: a session lived on after
 * permissions, accounts and passwords had changed): consoles, event streams, tickets that were not used yet, of tokens, sessions, users,
 * roles and grants.
 */
import t, { type Test } from 'tap';
import WebSocket from 'ws';
import { startGamekeeper } from '../support/gamekeeper.ts';
import { type SignedInUser, session, signedInAdmin, signedInUser } from '../support/signed-in-user.ts';
import { until } from '../support/until.ts';

/** From the answer to the change to the end of what it ends: less than a person needs to type a command. */
const SOON_MS = 2_000;

const gamekeeper = await startGamekeeper(t);
const admin = await signedInAdmin(gamekeeper);
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
let count = 0;

interface Held {
  user: SignedInUser;
  token: { id: string; token: string };
  /** Everything that somebody can hold open, by name. */
  open: Map<string, { closed(): boolean; usable?: () => boolean }>;
  unusedTicket: string;
}

/** A new user who holds a console and an event stream by cookie and by token, and a ticket. */
async function held(t: Test): Promise<Held> {
  // Only administrators make tokens.
  const user = await signedInUser(gamekeeper, { username: `user${++count}`, role: 'admin' });
  const made = await user.api<{ id: string; token: string }>('POST', '/api/tokens', { name: 'bot' });
  t.equal(made.status, 201);
  const bearer = { authorization: `Bearer ${made.body.token}` };
  const open: Held['open'] = new Map();
  for (const [name, headers] of Object.entries({ cookie: user.headers, token: bearer })) {
    open.set(`console by ${name}`, await openConsole(t, headers));
    open.set(`events by ${name}`, await openEvents(t, headers));
  }
  const ticket = await user.api<{ ticket: string }>('POST', '/api/instances/demo/console-ticket');
  return { user, token: made.body, open, unusedTicket: ticket.body.ticket };
}

async function openConsole(t: Test, headers: Record<string, string>, query = '') {
  const url = new URL(`/ws/instances/demo/console${query}`, gamekeeper.addresses().panel);
  const socket = new WebSocket(url.href.replace(/^http/, 'ws'), { headers });
  t.teardown(() => socket.terminate());
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return { closed: () => socket.readyState === WebSocket.CLOSED };
}

async function openEvents(t: Test, headers: Record<string, string>) {
  const ending = new AbortController();
  t.teardown(() => ending.abort());
  const response = await fetch(new URL('/events', gamekeeper.addresses().panel), { headers, signal: ending.signal });
  t.equal(response.status, 200);
  let closed = false;
  const end = () => {
    closed = true;
  };
  void response.body?.pipeTo(new WritableStream()).then(end, end);
  return { closed: () => closed };
}

async function allEnd(t: Test, { open }: Held, which: RegExp = /./): Promise<void> {
  for (const [name, { closed }] of open)
    if (which.test(name)) {
      await t.resolves(
        until(`${name} is closed`, () => closed(), { deadlineMs: SOON_MS }),
        name,
      );
    }
}

async function ticketIsRefused(t: Test, { unusedTicket }: Held): Promise<void> {
  await t.rejects(openConsole(t, {}, `?ticket=${unusedTicket}`), /401|404|403/, 'nor is a ticket good for anything');
}

async function status(headers: Record<string, string>, where = '/instances'): Promise<number> {
  return (await gamekeeper.api('GET', where, undefined, headers)).status;
}

t.test('a token that is revoked', async (t) => {
  const one = await held(t);
  t.equal((await one.user.api('DELETE', `/api/tokens/${one.token.id}`)).status, 204);
  t.equal(await status({ authorization: `Bearer ${one.token.token}` }), 401);
  await allEnd(t, one, /token/);
  t.equal(one.open.get('console by cookie')?.closed(), false, 'what the session has stays');
});

t.test('signing out', async (t) => {
  const one = await held(t);
  t.equal((await one.user.api('POST', '/api/logout')).status, 204);
  t.equal(await status(one.user.headers), 401);
  await allEnd(t, one, /cookie/);
  await ticketIsRefused(t, one);
});

t.test('a user that is removed', async (t) => {
  const one = await held(t);
  t.equal((await admin.api('DELETE', `/api/users/${one.user.username}`)).status, 204);
  await allEnd(t, one);
  await ticketIsRefused(t, one);
  t.equal(await status(one.user.headers), 401);
  t.equal(await status({ authorization: `Bearer ${one.token.token}` }), 401);
  // A namesake inherits nothing.
  await signedInUser(gamekeeper, { username: one.user.username, role: 'admin' });
  t.equal(await status(one.user.headers), 401);
  t.equal(await status({ authorization: `Bearer ${one.token.token}` }), 401);
});

t.test('a user that is disabled', async (t) => {
  const one = await held(t);
  t.equal((await admin.api('PATCH', `/api/users/${one.user.username}`, { disabled: true })).status, 200);
  await allEnd(t, one);
  await ticketIsRefused(t, one);
  await t.rejects(session(gamekeeper, one.user.username, one.user.password), /401/);
});

t.test('a password that is changed, by its owner and by an administrator', async (t) => {
  const own = await held(t);
  const elsewhere = await session(gamekeeper, own.user.username, own.user.password);
  const there = await openConsole(t, elsewhere.headers);
  const change = { currentPassword: own.user.password, newPassword: 'quite another password' };
  const changed = await own.user.api('PUT', '/api/password', change);
  t.ok([200, 204].includes(changed.status), JSON.stringify(changed.body));
  await until('the other session is closed', there.closed, { deadlineMs: SOON_MS });
  t.equal(await status(elsewhere.headers), 401);

  const other = await held(t);
  t.equal(
    (await admin.api('PATCH', `/api/users/${other.user.username}`, { password: 'quite another one' })).status,
    200,
  );
  await allEnd(t, other, /cookie/);
  t.equal(await status(other.user.headers), 401);
  await ticketIsRefused(t, other);
});

t.test('a grant that is taken back', async (t) => {
  const one = await held(t);
  t.equal(
    (await admin.api('PATCH', `/api/users/${one.user.username}`, { role: 'operator', instances: [] })).status,
    200,
  );
  await allEnd(t, one, /console/);
  await ticketIsRefused(t, one);
  t.equal(await status(one.user.headers, '/instances/demo'), 404);
  t.equal(await status({ authorization: `Bearer ${one.token.token}` }, '/instances/demo'), 404);
});

t.test('a role that is lowered: what was opened with the higher one types no more', async (t) => {
  const one = await held(t);
  const { host } = new URL(gamekeeper.addresses().panel);
  const socket = new WebSocket(`ws://${host}/ws/instances/demo/console`, { headers: one.user.headers });
  t.teardown(() => socket.terminate());
  let text = '';
  socket.on('message', (data) => {
    text += String(data);
  });
  await new Promise((resolve) => socket.once('open', resolve));
  t.equal((await admin.api('PATCH', `/api/users/${one.user.username}`, { role: 'viewer' })).status, 200);
  await until(
    'a command is refused, or the console closed',
    () => {
      if (socket.readyState === WebSocket.OPEN) socket.send('say hello');
      return text.includes('[gamekeeper] not allowed') || socket.readyState === WebSocket.CLOSED;
    },
    { deadlineMs: SOON_MS },
  );
  const bearer = { authorization: `Bearer ${one.token.token}` };
  t.equal((await gamekeeper.api('POST', '/instances/demo/start', undefined, bearer)).status, 403, 'nor do old tokens');
});

t.test('an instance that is deleted', async (t) => {
  const one = await held(t);
  t.equal((await gamekeeper.api('DELETE', '/instances/demo?files=delete')).status, 204);
  await allEnd(t, one, /console/);
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
  const again = await gamekeeper.api('POST', '/api/instances/demo/console-ticket');
  t.equal(again.status, 201);
});
