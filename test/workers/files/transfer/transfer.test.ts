import { once } from 'node:events';
import { closeSync, fstatSync, openSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { receiveFile, sendFile } from '../../../../workers/files/transfer/transfer.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const SIGNAL = new AbortController().signal;

async function send(t: Test, content: string, range: { start: number; end: number }) {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'file');
  writeFileSync(file, content);
  const descriptor = openSync(file, 'r');
  t.teardown(() => closeSync(descriptor));
  const socket = path.join(folder, 'socket');
  const server = createServer().listen(socket);
  t.teardown(() => server.close());
  await once(server, 'listening');
  const received = once(server, 'connection').then(([connection]) => buffer(connection));
  const sent = sendFile(descriptor, { range, socket }, SIGNAL);
  return { sent, received: async () => (await received).toString() };
}

t.test('a part of a file is sent, and an empty one', async (t) => {
  const { sent, received } = await send(t, '0123456789', { start: 3, end: 5 });
  await sent;
  t.equal(await received(), '345');
  const empty = await send(t, '', { start: 0, end: -1 });
  await empty.sent;
  t.equal(await empty.received(), '');
});

t.test('a file that became shorter is an error, so that nobody takes it for complete', async (t) => {
  const { sent } = await send(t, '0123456789', { start: 0, end: 99 });
  await t.rejects(sent, { message: /shorter/ });
});

for (const direction of ['sent', 'received'] as const)
  t.test(`a file that is ${direction} stays open for its owner when the other side leaves`, async (t) => {
    const folder = temporaryFolder(t);
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    truncateSync(file, 64 * 1024 * 1024);
    const descriptor = openSync(file, 'r+');
    t.teardown(() => closeSync(descriptor));
    const socket = path.join(folder, 'socket');
    const server = createServer().listen(socket);
    t.teardown(() => server.close());
    await once(server, 'listening');
    const connected = once(server, 'connection') as Promise<[Socket]>;
    const leaving = new AbortController();
    const transfer: Promise<unknown> =
      direction === 'sent'
        ? sendFile(descriptor, { range: { start: 0, end: 64 * 1024 * 1024 - 1 }, socket }, leaving.signal)
        : receiveFile(descriptor, { socket, folder }, leaving.signal);
    const [connection] = await connected;
    connection.write('some bytes');
    if (direction === 'sent') await once(connection, 'readable');
    leaving.abort();
    await t.rejects(
      transfer.then(() => undefined),
      { name: 'AbortError' },
    );
    t.ok(fstatSync(descriptor).isFile());
    connection.destroy();
  });
