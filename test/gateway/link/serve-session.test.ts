/** What a proxy that is taken over, or a program that aborts its requests, can do to a gateway over HTTP/2. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { constants, type ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import t, { type Test } from 'tap';
import { connectInProcess } from '../../../gateway/link/in-process-socket.ts';
import { serveSession } from '../../../gateway/link/serve-session.ts';
import {
  connectionPreface,
  dataFrames,
  headersFrame,
  resetFrame,
  settingsAck,
} from '../../support/link/http2-frames.ts';
import { until } from '../../support/machine/until.ts';

const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR } = constants;
/** A minute of a program that aborts every request that the relay allows. */
const ABORTED = 3_000;
const ABORTED_AT_ONCE = 50;
/** More than the buffers between a stream and a handler that does not read; less than a stream's window. */
const UNREAD_BYTES = 200 * 1024;
const REQUEST = { ':scheme': 'https', ':authority': 'proxy.example', ':path': '/' };
const WEB_SOCKET = { ...REQUEST, ':method': 'CONNECT', ':protocol': 'websocket', 'sec-websocket-version': '13' };

/** Serves a link to a server of HTTP/1.1. Returns the proxy's end of the link. */
async function linkTo(t: Test) {
  const http = createServer();
  const { client: proxy, server: connection } = connectInProcess();
  const streams: ServerHttp2Stream[] = [];
  const session = serveSession(connection, (socket) => http.emit('connection', socket));
  session.on('stream', (stream: ServerHttp2Stream) => streams.push(stream));
  t.teardown(() => proxy.destroy());
  proxy.write(connectionPreface());
  await once(proxy, 'data');
  proxy.write(settingsAck());
  return { proxy, streams, http };
}

t.test('streams that are reset in the message that opens them are ignored', async (t) => {
  const { proxy, http } = await linkTo(t);
  const served: unknown[] = [];
  http.on('request', ({ url }: IncomingMessage) => served.push(url));
  http.on('upgrade', ({ url }: IncomingMessage) => served.push(url));
  const opened = [
    { ':method': 'CONNECT', ':authority': 'proxy.example' },
    { ...WEB_SOCKET, ':protocol': 'x' },
    WEB_SOCKET,
    { ...REQUEST, ':method': 'GET' },
  ];
  opened.forEach((headers, n) => {
    for (const [m, code] of [NGHTTP2_CANCEL, NGHTTP2_NO_ERROR].entries()) {
      const id = 4 * n + 2 * m + 1;
      proxy.write(Buffer.concat([headersFrame(id, headers), resetFrame(id, code)]));
    }
  });
  proxy.write(headersFrame(101, { ...REQUEST, ':method': 'GET', ':path': '/after' }, { end: true }));
  await until('the next request is served', () => served.length > 0);
  t.strictSame(served, ['/after']);
});

t.test('an answer to a stream that was reset is dropped', async (t) => {
  const { proxy, streams, http } = await linkTo(t);
  proxy.write(Buffer.concat([headersFrame(1, { ...REQUEST, ':method': 'POST' }), dataFrames(1, UNREAD_BYTES)]));
  const [, response] = (await once(http, 'request')) as [IncomingMessage, ServerResponse];
  proxy.write(resetFrame(1, NGHTTP2_NO_ERROR));
  await until('the stream is closed', () => streams[0]!.closed);
  t.notOk(streams[0]!.destroyed, 'its body is not read');
  response.writeHead(401).end();
  await until('the stream is given up', () => streams[0]!.destroyed);
});

t.test('a body that was cut looks cut, whatever the reason given', async (t) => {
  for (const code of [NGHTTP2_NO_ERROR, NGHTTP2_CANCEL]) {
    const { proxy, http } = await linkTo(t);
    proxy.write(Buffer.concat([headersFrame(1, { ...REQUEST, ':method': 'POST' }), dataFrames(1, 1024)]));
    const [request] = (await once(http, 'request')) as [IncomingMessage];
    request.once('data', () => proxy.write(resetFrame(1, code)));
    request.on('error', () => undefined);
    await new Promise((resolve) => request.resume().once('close', resolve));
    t.notOk(request.complete, `code ${code}`);
  }
});

t.test('an upgrade of a stream that was reset is dropped', async (t) => {
  const { proxy, streams, http } = await linkTo(t);
  proxy.write(Buffer.concat([headersFrame(1, WEB_SOCKET), dataFrames(1, UNREAD_BYTES)]));
  const [, socket] = (await once(http, 'upgrade')) as [IncomingMessage, Duplex];
  socket.on('error', () => undefined);
  streams[0]!.once('aborted', () => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  });
  proxy.write(resetFrame(1, NGHTTP2_NO_ERROR));
  await until('both are given up', () => streams[0]!.destroyed && socket.destroyed);
});

t.test('a program that aborts its requests does not end the link', async (t) => {
  const { proxy, http } = await linkTo(t);
  const served: unknown[] = [];
  http.on('request', ({ url }: IncomingMessage) => served.push(url));
  for (let n = 0; n < ABORTED; n += ABORTED_AT_ONCE) {
    for (let id = 2 * n + 1; id < 2 * (n + ABORTED_AT_ONCE); id += 2)
      proxy.write(Buffer.concat([headersFrame(id, { ...REQUEST, ':method': 'GET' }), resetFrame(id, NGHTTP2_CANCEL)]));
    await new Promise(setImmediate);
  }
  const last = { ...REQUEST, ':method': 'GET', ':path': '/after' };
  proxy.write(headersFrame(2 * ABORTED + 1, last, { end: true }));
  await until('the next request is served', () => served.length > 0, { deadlineMs: 10_000 });
  t.strictSame(served, ['/after']);
});
