import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import t, { type Test } from 'tap';
import type { SlowestPace } from '../../../../shared/node/ipc/reader-pace.ts';
import { SocketSink } from '../../../../shared/node/ipc/socket-sink.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const MIB = 1024 * 1024;

/** A sink and the reader at its other end, which reads nothing yet. */
async function connected(t: Test, slowest: SlowestPace): Promise<{ sink: SocketSink; reader: Socket }> {
  const server = createServer({ pauseOnConnect: true });
  const place = path.join(temporaryFolder(t), 'socket');
  server.listen(place);
  await once(server, 'listening');
  const connection = once(server, 'connection');
  const sink = await SocketSink.connect(place, slowest);
  const [reader] = (await connection) as [Socket];
  reader.on('error', () => undefined);
  t.teardown(() => {
    sink.destroy();
    reader.destroy();
    server.close();
  });
  return { sink, reader };
}

t.test('a reader that takes nothing is left', async (t) => {
  const { sink } = await connected(t, { bytes: 1, milliseconds: 100 });
  sink.end(Buffer.alloc(8 * MIB));
  await t.rejects(finished(sink), { code: 'invalid_state', message: /slower than/ });
});

t.test('a reader that takes a little now and then is left', async (t) => {
  const { sink, reader } = await connected(t, { bytes: 1_000 * MIB, milliseconds: 500 });
  reader.on('data', () => reader.pause());
  const nudging = setInterval(() => reader.resume(), 20);
  t.teardown(() => clearInterval(nudging));
  sink.end(Buffer.alloc(64 * MIB));
  await t.rejects(finished(sink), { code: 'invalid_state', message: /slower than 2048000 KiB\/s/ });
});

t.test('a reader that is fast enough gets everything, in order', async (t) => {
  const { sink, reader } = await connected(t, { bytes: 64 * 1024, milliseconds: 20_000 });
  const freed: number[] = [];
  sink.onWritten = ({ length }) => freed.push(length);
  const parts = [Buffer.alloc(5 * MIB + 1, 'a'), Buffer.alloc(1, 'b'), Buffer.alloc(MIB, 'c')];
  for (const part of parts) sink.write(part);
  sink.end();
  const received: Buffer[] = [];
  for await (const chunk of reader) received.push(chunk as Buffer);
  t.ok(Buffer.concat(received).equals(Buffer.concat(parts)));
  t.same(
    freed,
    parts.map(({ length }) => length),
    'the memory of each chunk is free once',
  );
});
