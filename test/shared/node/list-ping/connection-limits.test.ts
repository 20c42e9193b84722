import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import t, { type Test } from 'tap';
import { LimitedConnections } from '../../../../shared/node/list-ping/connection-limits.ts';
import { pingServer } from '../../../../shared/node/list-ping/ping-server.ts';
import { openStatusServer } from '../../../../shared/node/list-ping/status-server.ts';
import { pretendAddresses } from '../../../support/machine/pretend-addresses.ts';

const STATUS = { version: '1', protocol: 1, motd: '', max: 1, online: 0, sample: [] };

async function open(t: Test, limits: { most: number; mostPerAddress: number; lifetimeMs: number }) {
  const server = await openStatusServer({
    host: undefined,
    port: 0,
    limits,
    status: () => STATUS,
    onLogin: () => ({ message: '' }),
  });
  t.teardown(() => server.close());
  return server.port;
}

async function hold(t: Test, port: number, localAddress: string) {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  t.teardown(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

t.test('an address with too many connections is refused and keeps nobody else out', async (t) => {
  const limited = new LimitedConnections({ most: 10, mostPerAddress: 2, lifetimeMs: 60_000 });
  const server = createServer((socket) => {
    if (limited.admit(socket)) socket.end('admitted');
  });
  pretendAddresses(server);
  server.listen(0, '127.0.0.1');
  t.teardown(() => void server.close());
  t.teardown(() => limited.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (let count = 0; count < 2; count++) await hold(t, port, '127.0.0.2');
  const third = await hold(t, port, '127.0.0.2');
  await once(third, 'close');
  const other = await hold(t, port, '127.0.0.1');
  t.equal(String((await once(other, 'data'))[0]), 'admitted');
});

t.test('if all connections are taken, the oldest is closed', async (t) => {
  const port = await open(t, { most: 3, mostPerAddress: 4, lifetimeMs: 60_000 });
  const oldest = await hold(t, port, '127.0.0.2');
  for (const address of ['127.0.0.3', '127.0.0.4']) await hold(t, port, address);
  const closed = once(oldest, 'close');
  t.match(await pingServer({ host: '127.0.0.1', port, timeoutMs: 10_000 }), { max: 1 });
  await closed;
});

t.test('a connection ends after its lifetime, however busy it is', async (t) => {
  const port = await open(t, { most: 3, mostPerAddress: 3, lifetimeMs: 200 });
  const drip = await hold(t, port, '127.0.0.2');
  const timer = setInterval(() => drip.write(Buffer.of(0x80)), 30);
  drip.on('close', () => clearInterval(timer));
  const begun = performance.now();
  await new Promise((resolve) => drip.once('close', resolve)); // possibly after a reset
  t.ok(performance.now() - begun < 5_000);
});
