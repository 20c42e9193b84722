import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { WebSocket, WebSocketServer } from 'ws';
import { WebSocketDuplex } from '../../../../shared/node/link/web-socket-duplex.ts';
import { until } from '../../../support/machine/until.ts';

/** Two ends of a WebSocket over a real connection. */
async function pair(t: Test): Promise<{ client: WebSocketDuplex; server: WebSocketDuplex; socket: WebSocket }> {
  const http = createServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  t.teardown(() => {
    http.closeAllConnections();
    http.close();
  });
  const accepted = once(new WebSocketServer({ server: http, perMessageDeflate: false }), 'connection');
  const socket = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`, { perMessageDeflate: false });
  t.teardown(() => socket.terminate());
  await once(socket, 'open');
  const [opened] = (await accepted) as [WebSocket];
  return { client: new WebSocketDuplex(socket), server: new WebSocketDuplex(opened), socket };
}

t.test('bytes arrive complete and in order, however they are written', async (t) => {
  const { client, server } = await pair(t);
  const [sent, received] = [createHash('sha256'), createHash('sha256')];
  server.on('data', (chunk: Buffer) => received.update(chunk));
  for (let n = 0; n < 500; n++) {
    const chunk = Buffer.alloc((n * 7919) % 100_000, n % 256);
    sent.update(chunk);
    if (n % 10 === 0) client.cork();
    if (!client.write(chunk) && n % 10 === 9) {
      client.uncork();
      await once(client, 'drain');
    }
    if (n % 10 === 9) client.uncork();
  }
  client.end();
  await once(server, 'close');
  t.equal(received.digest('hex'), sent.digest('hex'));
});

t.test('a reader that stops holds back the writer', async (t) => {
  const { client, server } = await pair(t);
  const chunk = Buffer.alloc(64 * 1024);
  let taken = 0;
  const write = () => {
    while (client.write(chunk, () => taken++));
    client.once('drain', write);
  };
  write();
  let before = -1;
  await until('the writer stops', async () => {
    if (taken === before) return true;
    before = taken;
    await new Promise((resolve) => setTimeout(resolve, 200));
    return false;
  });
  t.ok(taken * chunk.length < 32 * 1024 * 1024, 'it stops at the buffers of the two sockets');
  server.resume();
  await until('the writer goes on', () => taken > before + 1_000);
  client.removeAllListeners('drain');
  client.destroy();
});

t.test('a connection that fails ends both sides without an error event', async (t) => {
  const { client, server, socket } = await pair(t);
  for (const one of [client, server]) one.on('error', (error) => t.fail(String(error))).resume();
  client.write('x');
  socket.terminate();
  await Promise.all([client, server].map((one) => one.closed || once(one, 'close')));
  client.write('late', (error) => t.ok(error, 'a late write fails'));
  await new Promise(setImmediate);
});
