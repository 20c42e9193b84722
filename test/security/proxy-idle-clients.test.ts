/** Clients of the hosted proxy without any account: none ends the process, and none holds a connection that sends nothing. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { startProxy } from '../support/proxy/proxy-process.ts';

/** The proxy waits 30 s for a body, and gives a refused client 2 s to read. */
const CLOSED_WITHIN_MS = 45_000;

/** Sends bytes as they are. Resolves to the socket and what comes back. */
async function client(t: Test, url: string, text: string): Promise<{ socket: Socket; received: () => string }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let received = '';
  socket.on('data', (data) => {
    received += data;
  });
  socket.on('error', () => undefined); // the proxy may reset it
  t.teardown(() => socket.destroy());
  await once(socket, 'connect');
  socket.write(text);
  return { socket, received: () => received };
}

t.test('a reset during a request for an upgrade does not end the proxy', async (t) => {
  const proxy = await startProxy(t);
  const { pid } = proxy;
  const upgrade = 'HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
  for (let round = 0; round < 50; round++)
    for (const path of ['/x', '/d/x', '/link/x']) {
      const { socket } = await client(t, proxy.url, `GET ${path} ${upgrade}`);
      socket.resetAndDestroy();
    }
  t.equal((await fetch(`${proxy.url}/livez`)).status, 200);
  t.equal(proxy.pid, pid);
});

t.test('a request whose body does not come is ended, whatever its address', async (t) => {
  const proxy = await startProxy(t);
  const head = 'Host: x\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n';
  const nowhere = '/d/00000000-0000-4000-8000-000000000000/instances';
  await Promise.all(
    ['/nothing', '/api/daemons', nowhere].map(async (path) => {
      const { socket, received } = await client(t, proxy.url, `POST ${path} HTTP/1.1\r\n${head}`);
      const closed = await Promise.race([
        once(socket, 'close').then(() => true),
        new Promise((resolve) => setTimeout(resolve, CLOSED_WITHIN_MS, false)),
      ]);
      t.ok(closed, `${path} is closed`);
      if (path === nowhere) t.match(received(), /^HTTP\/1\.1 401 .*connection: close/is);
    }),
  );
});

t.test('an unknown expectation is ignored', async (t) => {
  const proxy = await startProxy(t);
  const { socket, received } = await client(
    t,
    proxy.url,
    'GET /livez HTTP/1.1\r\nHost: x\r\nExpect: x\r\nConnection: close\r\n\r\n',
  );
  await once(socket, 'close');
  t.match(received(), /^HTTP\/1\.1 200 /);
});
