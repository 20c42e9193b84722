import t, { type Test } from 'tap';
import { createRconSession, type RconSession } from '../../../../workers/supervisor/rcon/session.ts';
import { startCuberiteLike, startRconPeer } from '../../../fixtures/rcon-peer.ts';

const PATIENT = { timeoutMs: 20_000 };
const PASSWORD = 'hunter2';

t.test('works with a server like Cuberite: answers of type 2, two packets each, no sentinels', async (t) => {
  const peer = await startCuberiteLike(t, { password: PASSWORD, answer: (command) => ANSWERS[command] ?? command });
  const session = sessionTo(t, peer.port);
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
  const session = sessionTo(t, peer.port);
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
  const session = sessionTo(t, peer.port);
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
  const session = sessionTo(t, peer.port);
  await Promise.all(['one', 'two', 'three'].map((command) => session.run(command, PATIENT)));
  t.same(
    peer.received.map(({ type }) => type),
    [3, 2, 100, 2, 100, 2, 100],
  );
});

function sessionTo(t: Test, port: number): RconSession {
  const session = createRconSession({ host: '127.0.0.1', port, password: PASSWORD });
  t.teardown(() => session.close());
  return session;
}
