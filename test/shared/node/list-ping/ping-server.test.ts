import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { pingServer, type ServerPing } from '../../../../shared/node/list-ping/ping-server.ts';
import { startDemoServer } from '../../../fixtures/demo-server.ts';
import { freePort } from '../../../support/machine/free-port.ts';

const PATIENT = 20_000;

t.test('returns version, players and latency of a real server', async (t) => {
  const server = await startDemoServer(t, { properties: { 'max-players': '9' } });
  t.match(await ping(server.port), { version: '1.20.4', protocol: 765, online: 0, max: 9, sample: [] });
  for (const name of ['Steve', 'Alex']) server.type(`demo join ${name}`);
  await server.waitForLine(/Alex joined the game$/);
  const { online, sample, latencyMs } = await ping(server.port);
  t.same({ online, sample }, { online: 2, sample: ['Steve', 'Alex'] });
  t.ok(latencyMs > 0 && latencyMs < PATIENT, `${latencyMs} ms`);
});

t.test('fails with "closed" if the server is starting or hides its status', async (t) => {
  const starting = await startDemoServer(t, { flags: ['--never-ready'], until: /Preparing spawn area/ });
  await t.rejects(ping(starting.port), {
    name: 'ListPingError',
    reason: 'closed',
    message: `127.0.0.1:${starting.port} closed the connection without an answer`,
  });
});

t.test('fails with "refused" if nothing listens, and with "timeout" if nothing answers', async (t) => {
  const port = await freePort();
  await t.rejects(ping(port), {
    name: 'ListPingError',
    reason: 'refused',
    message: `Cannot connect to 127.0.0.1:${port}`,
  });

  const silent = await peer(t, () => {});
  await t.rejects(ping(silent, 100), {
    name: 'ListPingError',
    reason: 'timeout',
    message: `127.0.0.1:${silent} did not answer the server list ping within 100 ms`,
  });
});

t.test('accepts a sparse status, and a server that does not answer the ping packet', async (t) => {
  const hangsUp = await peer(t, (socket) => socket.end(status('{"players":{"online":3,"max":5}}')));
  t.match(await ping(hangsUp), { version: '', protocol: -1, online: 3, max: 5, sample: [], latencyMs: Number });
  const keepsSilent = await peer(t, (socket) => socket.write(status('{"players":{"online":0,"max":0}}')));
  t.match(await ping(keepsSilent), { online: 0, max: 0 });
});

t.test('reads an answer that arrives byte by byte', async (t) => {
  const bytes = status('{"version":{"name":"Größe"},"players":{"online":1,"max":2}}');
  const port = await peer(t, async (socket) => {
    for (const byte of bytes) {
      socket.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
  t.match(await ping(port), { version: 'Größe', online: 1 });
});

t.test('drops or cuts hostile values', async (t) => {
  const json = JSON.stringify({
    version: { name: 'v'.repeat(5000), protocol: 'seven' },
    players: {
      online: 1,
      max: 2,
      sample: [{ name: 'n'.repeat(5000) }, { name: 7 }, null, 'Steve', { id: 'x' }, { name: '<b>Alex</b>' }],
    },
  });
  const port = await peer(t, (socket) => socket.end(status(json)));
  t.match(await ping(port), { version: 'v'.repeat(200), protocol: -1, sample: ['n'.repeat(200), '<b>Alex</b>'] });
  const crowd = JSON.stringify({ players: { online: 1, max: 2, sample: Array(5000).fill({ name: 'x' }) } });
  t.equal((await ping(await peer(t, (socket) => socket.end(status(crowd))))).sample.length, 1000);
});

t.test('fails with "malformed" for anything but a status, soon and in little memory', async (t) => {
  const quotes = '\\"'.repeat(100_000);
  const answers: [what: string, bytes: Buffer][] = [
    ['another protocol', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'.padEnd(200))],
    ['a packet of another number', Buffer.from([2, 9, 0])],
    ['a packet of 0 bytes', Buffer.from([0])],
    ['a length of six bytes', Buffer.alloc(6, 0xff)],
    ['a packet of 2 MiB', Buffer.from([0xff, 0xff, 0x7f, 0])],
    ['a text longer than its packet', Buffer.from([3, 0, 0x7f, 0x7b])],
    ['no JSON', status('hello')],
    ['no object', status('[]')],
    ['null', status('null')],
    ['no player counts', status('{"version":{"name":"x"}}')],
    ['player counts that are none', status('{"players":{"online":-1,"max":1e400}}')],
    ['deep nesting', status('['.repeat(100_000))],
    ['deep nesting in an object', status(`{"a":${'{"a":'.repeat(70)}1${'}'.repeat(71)}`)],
    ['a text without an end', status(`"${quotes}`)],
  ];
  for (const [what, bytes] of answers) {
    const port = await peer(t, (socket) => socket.write(bytes));
    await t.rejects(
      ping(port),
      { name: 'ListPingError', reason: 'malformed', message: /does not speak Minecraft/ },
      what,
    );
  }
});

function ping(port: number, timeoutMs = PATIENT): Promise<ServerPing> {
  return pingServer({ host: '127.0.0.1', port, timeoutMs });
}

/** Starts a server that passes each connection to the test after the client's request. */
async function peer(t: Test, onRequest: (socket: Socket) => void): Promise<number> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {}); // the client closes the connection once it has seen enough
    socket.once('data', () => onRequest(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** Returns a status packet with this text. */
function status(json: string): Buffer {
  const text = Buffer.from(json);
  const body = Buffer.concat([Buffer.from([0]), varInt(text.length), text]);
  return Buffer.concat([varInt(body.length), body]);
}

function varInt(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}
