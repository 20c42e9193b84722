/**
 * A console WebSocket with a valid credential that sends huge messages, endless messages, compression bombs, or floods of messages that need
 * an answer is closed with the reason and does not affect others (CVE-2025-69199).
 */
import { constants, deflateRawSync } from 'node:zlib';
import t from 'tap';
import { frame, OPCODE, type RawWebSocket, rawWebSocket } from '../support/http/raw-websocket.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { watchedProcess } from '../support/processes/watched-process.ts';

const PATH = '/ws/instances/demo/console';
/** How much the gateway may grow: mostly data that was discarded but not yet garbage collected. */
const MOST_GROWTH_MIB = 100;

const gamekeeper = await startGamekeeper(t, { settings: { limits: { requestsPerSecond: 1e6, burst: 1e6 } } });
const gateway = watchedProcess(gamekeeper, /gateway\/main/);
const port = Number(new URL(gamekeeper.addresses().panel).port);
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
const authorization = `Bearer ${await gamekeeper.token()}`;
const reader = `Bearer ${await gamekeeper.token({ scopes: ['logs:read'] })}`;
const bystander = await gamekeeper.console('demo');
const before = { memory: gateway.memoryMib(), sockets: gateway.sockets() };

const open = (headers: Record<string, string> = {}) =>
  rawWebSocket(t, port, { path: PATH, headers: { authorization, ...headers } });

const BOMB = deflateRawSync(Buffer.alloc(10 * 1024 * 1024), { finishFlush: constants.Z_SYNC_FLUSH });

/** Each is sent over and over until the socket is closed, with this code unless the gateway hangs up at once. */
const ATTACKS: { name: string; code: number | undefined; send(socket: RawWebSocket, round: number): void }[] = [
  { name: 'a message of 17 KiB', code: 1009, send: ({ send }) => send(OPCODE.text, Buffer.alloc(17 * 1024, 'x')) },
  {
    name: 'a frame that says it has a terabyte',
    code: 1009,
    send: ({ send }) => send(OPCODE.binary, 'x', { declaredLength: 2 ** 40 }),
  },
  {
    name: 'a length beyond 2^53',
    code: 1009,
    send: ({ socket }) => void socket.write(Buffer.from('82ffffffffffffffffff00000000', 'hex')),
  },
  {
    name: 'fragments without end',
    code: 1008,
    send: ({ send }, round) => send(round === 0 ? OPCODE.text : OPCODE.continuation, 'x', { fin: false }),
  },
  {
    name: 'empty fragments without end',
    code: 1008,
    send: ({ send }, round) => send(round === 0 ? OPCODE.text : OPCODE.continuation, '', { fin: false }),
  },
  {
    name: 'a compressed bomb, though compression was not agreed on',
    code: 1002,
    send: ({ send }) => send(OPCODE.text, BOMB, { rsv1: true }),
  },
  { name: 'a ping that is too long', code: 1002, send: ({ send }) => send(OPCODE.ping, Buffer.alloc(126)) },
  { name: 'a frame of an unknown kind', code: 1002, send: ({ send }) => send(3) },
  { name: 'a continuation of nothing', code: 1002, send: ({ send }) => send(OPCODE.continuation, 'x') },
  { name: 'bytes that are no text', code: 1007, send: ({ send }) => send(OPCODE.text, Buffer.from([0xff, 0xfe])) },
  {
    name: 'a frame without a mask',
    code: 1002,
    send: ({ socket }) => void socket.write(Buffer.from('810568656c6c6f', 'hex')),
  },
  { name: 'a flood of pings', code: undefined, send: ({ send }) => send(OPCODE.ping, 'x') },
  { name: 'a flood of pongs', code: 1008, send: ({ send }) => send(OPCODE.pong) },
  { name: 'a flood of refused commands', code: 1008, send: ({ send }) => send(OPCODE.text, '\x07') },
];

for (const { name, code, send } of ATTACKS) {
  t.test(`${name} closes the console ${code ?? 'at once'}`, async (t) => {
    const console_ = await open({ 'sec-websocket-extensions': 'permessage-deflate' });
    for (let round = 0; console_.closeCode() === undefined && !console_.closed(); round++) {
      send(console_, round);
      if (round % 100 === 99 || round === 0) await new Promise(setImmediate);
      if (round > 20_000) break;
      // The close frame may be on its way.
      if (round % 5_000 === 4_999) await new Promise((resolve) => setTimeout(resolve, 200));
    }
    await until('the socket is closed', () => console_.closed() || undefined, { describe: () => console_.closeCode() });
    t.equal(console_.closeCode(), code);
  });
}

t.test('a handshake with too many headers is refused (CVE-2024-37890)', async (t) => {
  const many = Object.fromEntries(Array.from({ length: 2_005 }, (_, n) => [n.toString(36), '']));
  await t.rejects(rawWebSocket(t, port, { path: PATH, headers: { ...many, authorization } }), /HTTP\/1.1 4\d\d /);
  t.equal((await gamekeeper.api('GET', '/health')).status, 200);
});

t.test('floods whose answers are not read do not cost memory', async (t) => {
  const deaf = await Promise.all(Array.from({ length: 20 }, () => open({ authorization: reader })));
  const ping = frame(OPCODE.ping, Buffer.alloc(125, 'p'));
  const refused = frame(OPCODE.text, Buffer.from('say hello'));
  const flood = Buffer.concat(Array.from({ length: 500 }, (_, n) => (n % 2 ? ping : refused)));
  for (const { socket } of deaf) {
    socket.pause();
    for (let n = 0; n < 200; n++) socket.write(flood);
  }
  await until(
    'the sockets are closed',
    () => deaf.every(({ socket }) => socket.destroyed || !socket.writable || socket.writableLength === 0),
    {
      deadlineMs: 20_000,
    },
  );
  t.ok(gateway.memoryMib() - before.memory < MOST_GROWTH_MIB, `memory: ${before.memory} to ${gateway.memoryMib()} MiB`);
  for (const { socket } of deaf) socket.destroy();
});

t.test('a half-closed connection is ended', async (t) => {
  const console_ = await open();
  console_.socket.end();
  await until('the socket is closed', () => console_.closed() || undefined);
  t.ok(console_.closed());
});

t.test('other connections were not affected', async (t) => {
  await gamekeeper.api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  await bystander.waitFor(/Done \(/);
  t.equal((await gamekeeper.api('GET', '/health')).status, 200);
  t.equal(watchedProcess(gamekeeper, /gateway\/main/).pid, gateway.pid, 'the gateway is still the same process');
  const again = await open();
  t.notOk(again.closed(), 'the credential may open another console');
  again.socket.destroy();
  await until('the sockets are closed', () => gateway.sockets() <= before.sockets + 4, {
    describe: () => gateway.sockets(),
  });
});
