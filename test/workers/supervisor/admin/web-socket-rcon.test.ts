import { once } from 'node:events';
import t from 'tap';
import { WebSocketServer } from 'ws';
import { createAdminSession } from '../../../../workers/supervisor/admin/admin-session.ts';
import { createWebSocketRcon } from '../../../../workers/supervisor/admin/web-socket-rcon.ts';
import { createRconTally } from '../../../../workers/supervisor/rcon/tally.ts';

const LIMIT = { timeoutMs: 10_000 };

/** A stand-in for Rust, in the shape of github.com/Facepunch/webrcon: it closes connections with another password. */
const rust = new WebSocketServer({ port: 0, host: '127.0.0.1' });
rust.on('connection', (socket, { url }) => {
  if (url !== '/rust%20secret') return socket.close();
  socket.on('message', (data) => {
    const { Identifier, Message } = JSON.parse(String(data)) as { Identifier: number; Message: string };
    socket.send('not JSON');
    socket.send(JSON.stringify({ Identifier: 0, Message: 'a line of the log', Type: 'Generic' }));
    if (Message === 'quit') return socket.close();
    if (Message !== 'silence') socket.send(JSON.stringify({ Identifier, Message: `did ${Message}`, Type: 'Generic' }));
  });
});
await once(rust, 'listening');
t.teardown(() => rust.close());
const { port } = rust.address() as { port: number };
const sessionWith = (password: string, at = port) =>
  createAdminSession(createWebSocketRcon({ host: '127.0.0.1', port: at, password }), createRconTally());

t.test('sends commands over one connection, and tells their answers from the log', async (t) => {
  const session = sessionWith('rust secret');
  t.teardown(() => session.close());
  t.same(await Promise.all([session.run('status', LIMIT), session.run('save', LIMIT)]), ['did status', 'did save']);
  t.equal(rust.clients.size, 1);
  await t.rejects(session.run('silence', { timeoutMs: 200 }), { name: 'RconError', reason: 'timeout' });
  t.equal(await session.run('status', LIMIT), 'did status', 'over a new connection');
  await t.rejects(session.run('quit', LIMIT), { name: 'RconError', reason: 'closed' });
});

t.test('reports a wrong password and a closed port', async (t) => {
  await t.rejects(sessionWith('wrong').run('status', LIMIT), { name: 'RconError', reason: /closed|password-refused/ });
  await t.rejects(sessionWith('x', 9).run('status', LIMIT), { name: 'RconError', reason: 'refused' });
});
