import { once } from 'node:events';
import { connect } from 'node:net';
import t from 'tap';
import { type DemoServer, startDemoServer } from '../../../fixtures/demo-server.ts';

/** The handshake of a status request: protocol -1, address "x", port 1, next state 1. */
const HANDSHAKE = Buffer.from([0x0b, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, 1, 0x78, 0, 1, 1]);
const STATUS_REQUEST = Buffer.from([1, 0]);
const PING = Buffer.from([9, 1, 1, 2, 3, 4, 5, 6, 7, 8]);

t.test('answers the ping of 1.7 and later with the status, then with the same eight bytes', async (t) => {
  const server = await startDemoServer(t, { properties: { motd: 'Hi \\u00a7aall', 'max-players': '7' } });
  server.type('demo join Steve');
  await server.waitForLine(/Steve joined the game$/);
  const answer = await exchange(server, [HANDSHAKE, STATUS_REQUEST, PING]);
  t.same(answer.subarray(-10), PING);
  t.match(statusIn(answer), {
    version: { name: '1.20.4', protocol: 765 },
    description: { text: 'Hi §aall' },
    players: { max: 7, online: 1, sample: [{ name: 'Steve', id: '5627dd98-e6be-3c21-b8a8-e92344183641' }] },
  });
});

t.test('accepts packets that arrive byte by byte', async (t) => {
  const server = await startDemoServer(t);
  const bytes = [...Buffer.concat([HANDSHAKE, STATUS_REQUEST, PING])].map((byte) => Buffer.from([byte]));
  t.match(statusIn(await exchange(server, bytes)), { players: { max: 20, online: 0 } });
});

t.test(
  'hide-online-players empties the sample; with enable-status=false, and during the start, there is no status',
  async (t) => {
    const hidden = await startDemoServer(t, { properties: { 'hide-online-players': 'true' } });
    hidden.type('demo join Steve');
    await hidden.waitForLine(/Steve joined the game$/);
    const status = statusIn(await exchange(hidden, [HANDSHAKE, STATUS_REQUEST, PING]));
    t.match(status, { players: { online: 1 } });
    t.notMatch(status, { players: { sample: Array } });

    const silent = await startDemoServer(t, { properties: { 'enable-status': 'false' } });
    t.equal((await exchange(silent, [HANDSHAKE, STATUS_REQUEST])).length, 0);
    const starting = await startDemoServer(t, { flags: ['--never-ready'], until: /Preparing spawn area/ });
    t.equal((await exchange(starting, [HANDSHAKE, STATUS_REQUEST])).length, 0);
  },
);

t.test('answers the pings of versions before 1.7', async (t) => {
  const server = await startDemoServer(t, { properties: { motd: 'Hi' } });
  const text = (answer: Buffer): string => Buffer.from(answer.subarray(3)).swap16().toString('utf16le');
  for (const ping of [
    [0xfe, 1],
    [0xfe, 1, 0xfa, 0, 1],
  ]) {
    const answer = await exchange(server, [Buffer.from(ping)]);
    t.equal(answer[0], 0xff);
    t.equal(answer.readUInt16BE(1), text(answer).length);
    t.equal(text(answer), '§1\x00127\x001.20.4\x00Hi\x000\x0020');
  }
  t.equal(text(await exchange(server, [Buffer.from([0xfe])])), 'Hi§0§20');
});

t.test('refuses a login with a friendly message', async (t) => {
  const server = await startDemoServer(t);
  const login = Buffer.from([...HANDSHAKE.subarray(0, -1), 2]);
  const answer = await exchange(server, [login, Buffer.from([7, 0, 5, ...Buffer.from('Steve')])]);
  t.match(
    answer.toString(),
    /\{"text":"This is a demo server: it has a console, a world and RCON, but no game to join\."\}/,
  );
});

t.test('closes the connection at garbage, and the server survives', async (t) => {
  const server = await startDemoServer(t);
  const garbage = [
    Buffer.from(`GET / HTTP/1.1\r\nHost: ${'x'.repeat(99)}\r\n\r\n`),
    Buffer.alloc(6, 0xff),
    Buffer.from([0]),
    Buffer.from([0xff, 0xff, 0x7f]),
    Buffer.from([3, 5, 1, 2]),
    Buffer.from([4, 0, 1, 0x7f, 1]),
    Buffer.concat([HANDSHAKE, HANDSHAKE]),
  ];
  for (const bytes of garbage)
    t.equal((await exchange(server, [bytes])).length, 0, bytes.toString('latin1').slice(0, 8));
  t.match(statusIn(await exchange(server, [HANDSHAKE, STATUS_REQUEST, PING])), { players: { online: 0 } });
});

/** Sends each piece in a separate packet, and returns what arrives until the server closes the connection. */
async function exchange(server: DemoServer, pieces: readonly Buffer[]): Promise<Buffer> {
  const socket = connect({ port: server.port, host: '127.0.0.1', noDelay: true });
  const received: Buffer[] = [];
  socket.on('data', (bytes: Buffer) => received.push(bytes));
  socket.on('error', () => {}); // a reset counts as closed
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await once(socket, 'close');
  return Buffer.concat(received);
}

function statusIn(answer: Buffer): unknown {
  const text = answer.toString('utf8');
  return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
}
