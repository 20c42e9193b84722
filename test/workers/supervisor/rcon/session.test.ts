import t, { type Test } from 'tap';
import { createRconSession, LONGEST_COMMAND, type RconSession } from '../../../../workers/supervisor/rcon/session.ts';
import { type DemoServer, startDemoServer } from '../../../fixtures/demo-server.ts';
import { startCuberiteLike, startRconPeer } from '../../../fixtures/rcon-peer.ts';

/** More than any command needs, even on a busy machine. */
const PATIENT = { timeoutMs: 20_000 };

t.test('returns whole answers of any length', async (t) => {
  const session = sessionTo(t, await startDemoServer(t));
  t.equal(await session.run('list', PATIENT), 'There are 0 of a max of 20 players online: ');
  for (const length of [0, 1, 4095, 4096, 4097, 8192, 100_000]) {
    t.equal((await session.run(`demo answer ${length}`, PATIENT)).length, length, `${length} characters`);
  }
  t.equal(await session.run('demo answer 9000 Grüße, 世界! ', PATIENT), 'Grüße, 世界! '.repeat(900).slice(0, 9000));
});

t.test('connects with the first command and keeps the connection', async (t) => {
  const server = await startDemoServer(t);
  const session = sessionTo(t, server);
  t.equal(session.state, 'idle');
  t.equal(session.latencyMs, undefined);
  const first = session.run('list', PATIENT);
  for (let index = 0; index < 20; index += 1) await session.run('list', PATIENT);
  await first;
  t.equal(session.state, 'connected');
  t.ok(Number(session.latencyMs) > 0 && Number(session.latencyMs) < 5_000, `${session.latencyMs} ms`);
  t.equal(server.lines.filter((line) => line.includes('Thread RCON Client /127.0.0.1 started')).length, 1);
});

t.test('sends concurrent commands one after the other, and each gets its own answer', async (t) => {
  const session = sessionTo(t, await startDemoServer(t));
  const lengths = Array.from({ length: 50 }, (_, index) => (index * 977) % 9000);
  const answers = await Promise.all(lengths.map((length) => session.run(`demo answer ${length} ${length}-`, PATIENT)));
  t.same(
    answers.map((answer) => answer.length),
    lengths,
  );
  t.ok(
    answers.every(
      (answer, index) => lengths[index] === 0 || answer.startsWith(`${lengths[index]}`.slice(0, answer.length)),
    ),
  );
});

t.test('sends a command of the maximum length, and refuses a longer one without sending it', async (t) => {
  const server = await startDemoServer(t);
  const session = sessionTo(t, server);
  const longest = `say ${'ä'.repeat((LONGEST_COMMAND - 4) / 2)}`;
  t.equal(await session.run(longest, PATIENT), '');
  t.ok(await server.waitForLine(/\[Rcon\] ä{721}$/));
  await t.rejects(session.run(`${longest}!`, PATIENT), {
    name: 'RangeError',
    message: 'An RCON command can have at most 1446 bytes; this one has 1447',
  });
  t.equal(session.state, 'connected');
});

t.test('waits for a slow save within the given timeout', async (t) => {
  const session = sessionTo(t, await startDemoServer(t, { flags: ['--slow-save', '2500'] }));
  const save = session.run('save-all flush', PATIENT);
  await t.rejects(
    session.run('list', { timeoutMs: 500 }),
    { name: 'RconError', reason: 'timeout' },
    'a queued command',
  );
  t.match(await save, /Saved the game$/);
  t.match(await session.run('list', PATIENT), /^There are 0/, 'the connection is still the same');
});

t.test('returns the answer to "stop" although the server closes at once', async (t) => {
  const server = await startDemoServer(t);
  const session = sessionTo(t, server);
  await session.run('list', PATIENT);
  t.equal(await session.run('stop', PATIENT), 'Stopping the server');
  t.same(await server.exited, { code: 0, signal: null });
  t.equal(session.state, 'idle');
});

t.test('the next command connects again after the server has dropped the connection', async (t) => {
  const server = await startDemoServer(t);
  const session = sessionTo(t, server);
  await session.run('list', PATIENT);
  const { port, rconPort } = server;
  await server.stop();
  await t.rejects(session.run('list', PATIENT), { name: 'RconError', reason: 'refused' });
  const again = await startDemoServer(t, {
    properties: { 'server-port': String(port), 'rcon.port': String(rconPort) },
  });
  t.match(await untilAnswered(session), /There are 0/);
  await again.stop();
});

function sessionTo(t: Test, server: DemoServer): RconSession {
  const session = createRconSession({ host: '127.0.0.1', port: server.rconPort, password: server.password });
  t.teardown(() => session.close());
  return session;
}

/** Commands fail during the back-off. */
async function untilAnswered(session: RconSession): Promise<string> {
  for (;;) {
    try {
      return await session.run('list', PATIENT);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

const PASSWORD = 'hunter2';

t.test('works with a server like Cuberite: answers of type 2, two packets each, no sentinels', async (t) => {
  const peer = await startCuberiteLike(t, { password: PASSWORD, answer: (command) => ANSWERS[command] ?? command });
  const session = sessionOn(t, peer.port);
  for (const [command, answer] of Object.entries(ANSWERS))
    t.equal(await session.run(command, PATIENT), answer, command);
  const commands = Array.from({ length: 20 }, (_, index) => `command ${index}`);
  t.same(
    await Promise.all(commands.map((command) => session.run(command, PATIENT))),
    commands,
    'each command gets its own answer',
  );
  t.equal(await session.run('stop', PATIENT), '');
  t.equal(peer.connections, 1, 'the server never dropped the connection');
});

const ANSWERS: Record<string, string> = { list: 'Players: none', nothing: '', long: 'x'.repeat(4109) };

t.test('a server that drops the connection at a sentinel costs one connection only', async (t) => {
  const peer = await startRconPeer(t, ({ id, type, text }, client) => {
    if (type === 3) client.send(id, 2, '');
    else if (type === 2) client.send(id, 0, `you said ${text}`);
    else client.hangUp();
  });
  const session = sessionOn(t, peer.port);
  for (const command of ['one', 'two', 'three']) t.equal(await session.run(command, PATIENT), `you said ${command}`);
  t.equal(peer.connections, 2);
  t.equal(peer.received.filter(({ type }) => type === 100).length, 1);
});

t.test('sends one sentinel only to a server that ignores them', async (t) => {
  const peer = await startRconPeer(t, ({ id, type, text }, client) => {
    if (type === 3) client.send(id, 2, '');
    if (type !== 2) return;
    client.send(id, 0, `you said `);
    client.send(id, 0, text);
  });
  const session = sessionOn(t, peer.port);
  for (const command of ['one', 'two', 'three']) t.equal(await session.run(command, PATIENT), `you said ${command}`);
  t.equal(peer.connections, 1);
  t.equal(peer.received.filter(({ type }) => type === 100).length, 1);
});

t.test('only one packet is in flight at a time, sentinels included', async (t) => {
  let unanswered = 0;
  const peer = await startRconPeer(t, ({ id, type, text }, client) => {
    unanswered += 1;
    t.equal(unanswered, 1);
    setTimeout(() => {
      unanswered -= 1;
      client.send(id, type === 3 ? 2 : 0, type === 100 ? 'Unknown request 64' : text);
    }, 5);
  });
  const session = sessionOn(t, peer.port);
  await Promise.all(['one', 'two', 'three'].map((command) => session.run(command, PATIENT)));
  t.same(
    peer.received.map(({ type }) => type),
    [3, 2, 100, 2, 100, 2, 100],
  );
});

function sessionOn(t: Test, port: number): RconSession {
  const session = createRconSession({ host: '127.0.0.1', port, password: PASSWORD });
  t.teardown(() => session.close());
  return session;
}
