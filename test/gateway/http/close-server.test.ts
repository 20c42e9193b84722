import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import t, { type Test } from 'tap';
import { WebSocket, WebSocketServer } from 'ws';
import { closeServer } from '../../../gateway/http/close-server.ts';
import { createHttpServer } from '../../../gateway/http/server.ts';
import { selfSigned } from '../../support/http/self-signed.ts';
import { until } from '../../support/machine/until.ts';

/** More than the buffers of two sockets. */
const ANSWER_BYTES = 32 * 1024 * 1024;
const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const GRACE_MS = 60_000;

/** Starts a server. `ask` sends it a request, and resolves to the paused connection and the answer to give. */
async function start(t: Test, { secure }: { secure: boolean }) {
  const server = createHttpServer(() => undefined, secure ? { tls: selfSigned() } : {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const options = { port, host: '127.0.0.1' };
  async function open(): Promise<Socket> {
    const client = secure ? connectTls({ ...options, rejectUnauthorized: false }) : connect(options);
    client.on('error', () => undefined).pause();
    t.teardown(() => client.destroy());
    await once(client, secure ? 'secureConnect' : 'connect');
    return client;
  }
  async function ask(): Promise<{ client: Socket; response: ServerResponse }> {
    const client = await open();
    const accepted = once(server, 'request');
    client.write(REQUEST);
    const [, response] = (await accepted) as [unknown, ServerResponse];
    return { client, response };
  }
  t.teardown(() => server.closeAllConnections());
  return { server, port, open, ask };
}

for (const secure of [false, true]) {
  const how = secure ? 'over TLS' : 'over TCP';
  t.test(`a slow reader gets all of its answer, and idle connections end at once, ${how}`, async (t) => {
    const { server, ask } = await start(t, { secure });
    const idle = await ask();
    idle.response.end('done');
    await once(idle.response, 'close');
    const { client, response } = await ask();
    response.writeHead(200, { 'content-length': ANSWER_BYTES }).end(Buffer.alloc(ANSWER_BYTES));
    const closed = closeServer(server, GRACE_MS);
    await once(idle.client.resume(), 'close');
    t.notOk(response.writableFinished, 'the reader has not begun');
    const received = await buffer(client);
    t.ok(received.length > ANSWER_BYTES);
    await closed;
  });
}

t.test(
  'a request that has come behind another is answered, and so is one on a connection that is already open',
  async (t) => {
    const { server, open, ask } = await start(t, { secure: false });
    const { client, response } = await ask();
    const [behind] = (await Promise.all([once(server, 'request'), client.write(REQUEST)])) as [
      [unknown, ServerResponse],
      unknown,
    ];
    const fresh = await open();
    const closed = closeServer(server, GRACE_MS);
    response.end('first');
    await once(response, 'close');
    const accepted = once(server, 'request');
    fresh.write(REQUEST);
    for (const [, last] of [behind, (await accepted) as [unknown, ServerResponse]]) last.end('last');
    t.match(String(await buffer(client)), /first.*last/s);
    t.match(String(await buffer(fresh)), /last/);
    await closed;
  },
);

t.test('a WebSocket stays open, until the time is over', async (t) => {
  const { server, port } = await start(t, { secure: false });
  const webSockets = new WebSocketServer({ server });
  t.teardown(() => webSockets.close());
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  const [accepted] = await Promise.all([once(webSockets, 'connection'), once(socket, 'open')]);
  const closed = closeServer(server, 1_000);
  let swept = 0;
  const sweep = server.closeIdleConnections;
  server.closeIdleConnections = () => {
    sweep();
    swept++;
  };
  await until('it was swept around', () => swept > 1);
  accepted[0].send('hello');
  t.equal(String((await once(socket, 'message'))[0]), 'hello');
  socket.terminate();
  await closed;
});

t.test('a reader that never reads is cut off when the time is over', async (t) => {
  const { server, ask } = await start(t, { secure: false });
  const { client, response } = await ask();
  response.end(Buffer.alloc(ANSWER_BYTES));
  await closeServer(server, 100);
  t.notOk(response.writableFinished);
  await once(client.resume(), 'close');
});
