import { inspect } from 'node:util';
import t, { type Test } from 'tap';
import { RconError, wasNotSent } from '../../../../workers/supervisor/rcon/rcon-error.ts';
import { createRconSession, type RconSession } from '../../../../workers/supervisor/rcon/session.ts';
import { startDemoServer } from '../../../fixtures/demo-server.ts';
import { type RconClientHandle, startCuberiteLike, startRconPeer } from '../../../fixtures/rcon-peer.ts';
import { freePort } from '../../../support/machine/free-port.ts';

const PATIENT = { timeoutMs: 20_000 };
const PASSWORD = 'hunter2-of-the-test';

t.test('fails with "refused" at once if nothing listens', async (t) => {
  const session = sessionTo(t, await freePort());
  await t.rejects(session.run('list', PATIENT), {
    reason: 'refused',
    message: /^Cannot connect to RCON on 127\.0\.0\.1:\d+$/,
  });
});

t.test('fails with "password-refused" for a wrong password, which is not in the error', async (t) => {
  const server = await startDemoServer(t);
  const session = sessionTo(t, server.rconPort);
  const error: unknown = await session.run('list', PATIENT).catch((error: unknown) => error);
  t.match(error, { reason: 'password-refused', message: /rejected the password$/ });
  t.notMatch(inspect([error, session], { depth: 20, showHidden: true }), PASSWORD);
});

t.test('fails with "closed-during-login" if the server hangs up, as Cuberite does for a wrong password', async (t) => {
  const peer = await startCuberiteLike(t, { password: 'another', answer: () => '' });
  await t.rejects(sessionTo(t, peer.port).run('list', PATIENT), { name: 'RconError', reason: 'closed-during-login' });
});

t.test('gives up a login that is never answered', async (t) => {
  const peer = await startRconPeer(t, () => {});
  const session = sessionTo(t, peer.port);
  await t.rejects(session.run('list', { timeoutMs: 100 }), {
    reason: 'timeout',
    message: 'The server did not answer over RCON within 100 ms',
  });
  t.equal(session.state, 'idle');
});

t.test('a command whose login is never answered, and those soon after, were not sent', async (t) => {
  const session = sessionTo(t, (await startRconPeer(t, () => {})).port);
  for (const what of ['first', 'second']) {
    const error: unknown = await session.run(what, PATIENT).catch((error: unknown) => error);
    t.match(error, { reason: 'login-timeout', message: 'The server did not answer the RCON login within 5000 ms' });
    t.ok(error instanceof RconError && wasNotSent(error), what);
  }
});

t.test('a command soon after one that may have run was not sent', async (t) => {
  const { peer, session } = await peerThat(t, () => {});
  await t.rejects(session.run('first', { timeoutMs: 100 }), { name: 'RconError', reason: 'timeout' });
  const error: unknown = await session.run('second', PATIENT).catch((error: unknown) => error);
  t.match(error, { reason: 'not-tried', message: 'The server did not answer over RCON within 100 ms' });
  t.ok(error instanceof RconError && wasNotSent(error));
  t.equal(peer.connections, 1);
});

t.test('gives up a command that is never answered, and its connection', async (t) => {
  const { peer, session } = await peerThat(t, () => {});
  await t.rejects(session.run('list', { timeoutMs: 100 }), { name: 'RconError', reason: 'timeout' });
  t.equal(session.state, 'idle');
  t.equal(peer.connections, 1);
});

t.test('never sends a command whose deadline passes while it waits', async (t) => {
  const { peer, session } = await peerThat(t, () => {});
  const first = session.run('first', { timeoutMs: 300 });
  await t.rejects(session.run('second', { timeoutMs: 50 }), { name: 'RconError', reason: 'timeout' });
  await t.rejects(first, { name: 'RconError', reason: 'timeout' });
  t.notOk(peer.received.some(({ text }) => text === 'second'));
});

t.test('fails with "closed" if the connection ends before the answer is complete', async (t) => {
  const before = await peerThat(t, (_id, client) => client.hangUp());
  await t.rejects(before.session.run('list', PATIENT), { name: 'RconError', reason: 'closed' });
  const middle = await peerThat(t, (id, client) => {
    client.send(id, 0, 'x'.repeat(4096));
    client.hangUp();
  });
  await t.rejects(middle.session.run('list', PATIENT), { name: 'RconError', reason: 'closed' });
});

t.test('closes the connection at a packet with an impossible length', async (t) => {
  for (const length of [0, -4, 9, 0x7fff_ffff]) {
    const { session } = await peerThat(t, (_id, client) => {
      const bytes = Buffer.alloc(20);
      bytes.writeInt32LE(length);
      client.write(bytes);
    });
    await t.rejects(session.run('list', PATIENT), { name: 'RconError', reason: 'closed' }, `length ${length}`);
  }
});

t.test('gives up an endless answer', async (t) => {
  const { session } = await peerThat(t, (id, client) => {
    for (let megabyte = 0; megabyte < 6; megabyte += 1) client.send(id, 0, 'x'.repeat(1024 * 1024 - 10));
  });
  await t.rejects(session.run('list', PATIENT), { reason: 'closed', message: 'The RCON answer exceeds 4 MiB' });
});

t.test('after a failed connection, commands fail at once for a time that doubles', async (t) => {
  let now = 0;
  const peer = await startRconPeer(t, ({ id }, client) => client.send(id === 0 ? -1 : id, 2, ''));
  const session = createRconSession({ host: '127.0.0.1', port: peer.port, password: PASSWORD, now: () => now });
  t.teardown(() => session.close());
  const fail = (): Promise<unknown> =>
    t.rejects(session.run('list', PATIENT), { name: 'RconError', reason: 'password-refused' });
  for (const [wait, connections] of [
    [0, 1],
    [249, 1],
    [250, 2],
    [250 + 499, 2],
    [250 + 500, 3],
  ] as const) {
    now = wait;
    await fail();
    t.equal(peer.connections, connections, `after ${wait} ms`);
  }
});

t.test('close() fails running, waiting and later commands', async (t) => {
  const { session } = await peerThat(t, () => {});
  const running = session.run('first', PATIENT);
  const waiting = session.run('second', PATIENT);
  setImmediate(() => session.close());
  for (const command of [running, waiting]) await t.rejects(command, { name: 'RconError', reason: 'closed' });
  await t.rejects(session.run('third', PATIENT), { reason: 'closed', message: 'The RCON session is closed' });
  t.equal(session.state, 'closed');
});

/** Starts a server that accepts every login and passes commands to the test. */
async function peerThat(t: Test, onCommand: (id: number, client: RconClientHandle) => void) {
  const peer = await startRconPeer(t, ({ id, type }, client) => {
    if (type === 3) client.send(id, 2, '');
    else if (type === 2) onCommand(id, client);
  });
  return { peer, session: sessionTo(t, peer.port) };
}

function sessionTo(t: Test, port: number): RconSession {
  const session = createRconSession({ host: '127.0.0.1', port, password: PASSWORD });
  t.teardown(() => session.close());
  return session;
}
