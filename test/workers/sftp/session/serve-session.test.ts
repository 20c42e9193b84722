import { EventEmitter } from 'node:events';
import t from 'tap';
import { serveSession } from '../../../../workers/sftp/session/serve-session.ts';

const INIT = Buffer.from([0, 0, 0, 5, 1, 0, 0, 0, 3]);

/** A read of one byte: length, type, id, handle, offset, count. */
function readOfOneByte(): Buffer {
  const packet = Buffer.alloc(29);
  packet.writeUInt32BE(25);
  packet.writeUInt8(5, 4);
  packet.writeUInt32BE(4, 9);
  packet.writeUInt32BE(1, 25);
  return packet;
}

t.test('requests for single bytes are limited as well', async (t) => {
  const end = new AbortController();
  let underWay = 0;
  const stream = Object.assign(new EventEmitter(), {
    write: () => true,
    async *[Symbol.asyncIterator]() {
      yield INIT;
      for (let count = 0; count < 1_000; count++) yield readOfOneByte();
    },
  });
  const never = new Promise<Buffer>((resolve) => {
    end.signal.addEventListener('abort', () => resolve(Buffer.alloc(0)));
  });
  const served = serveSession(stream, {
    answer() {
      underWay++;
      return never;
    },
    onPacket: () => undefined,
    gather: () => () => undefined,
    signal: end.signal,
  });
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  t.equal(underWay, 128);
  end.abort();
  await served;
});
