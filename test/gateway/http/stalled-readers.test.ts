import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import t, { type Test } from 'tap';
import { closeStalled } from '../../../gateway/http/stalled-readers.ts';
import { selfSigned } from '../../support/http/self-signed.ts';

/** More than the buffers of two sockets. */
const ANSWER_BYTES = 32 * 1024 * 1024;
const STALLED_MS = 1_000;

/** Sends a request to a server that closes stalled connections, and pauses. */
async function ask(t: Test, secure: boolean): Promise<{ client: Socket; response: ServerResponse }> {
  const server = secure ? createTlsServer(selfSigned()) : createServer();
  server.keepAliveTimeout = STALLED_MS;
  closeStalled(server, STALLED_MS);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const options = { port, host: '127.0.0.1' };
  const client = secure ? connectTls({ ...options, rejectUnauthorized: false }) : connect(options);
  client.on('error', () => undefined);
  client.pause();
  await once(client, secure ? 'secureConnect' : 'connect');
  t.teardown(() => {
    client.destroy();
    server.close();
    server.closeAllConnections();
  });
  const accepted = once(server, 'request');
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [, response] = (await accepted) as [unknown, ServerResponse];
  return { client, response };
}

for (const secure of [false, true]) {
  const how = secure ? 'over TLS' : 'over TCP';
  t.test(`a connection whose client takes nothing of an answer is closed, ${how}`, async (t) => {
    const { response } = await ask(t, secure);
    response.end(Buffer.alloc(ANSWER_BYTES));
    await once(response, 'close');
    t.notOk(response.writableFinished);
  });

  t.test(`a client that is slow gets all of it, ${how}`, async (t) => {
    const { client, response } = await ask(t, secure);
    // In pieces, as files are sent: over TLS, Node counts only whole writes as progress.
    Readable.from(Array.from({ length: 32 }, () => Buffer.alloc(ANSWER_BYTES / 32))).pipe(response);
    const begun = performance.now();
    for await (const _ of client.iterator({ destroyOnReturn: false })) {
      if (response.writableFinished) break;
      // Longer in all than a client may take nothing.
      if (performance.now() - begun < STALLED_MS * 3) await delay(20);
    }
    t.ok(response.writableFinished);
  });

  t.test(`a request may take longer than that, and a connection without one is closed, ${how}`, async (t) => {
    const { client, response } = await ask(t, secure);
    await delay(STALLED_MS * 2);
    t.notOk(client.destroyed);
    response.end('done');
    const text = await new Promise<string>((resolve) => {
      client.once('data', (data) => resolve(String(data)));
      client.resume();
    });
    t.match(text, /^HTTP\/1.1 200 OK/);
    await once(client, 'close');
  });
}
