import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { RandomAccessReader } from 'yauzl';
import { WindowedReader } from './windowed-reader.ts';

/** The bytes of an archive: of a file, or of an object in a store. */
export interface ByteSource {
  readonly size: number;
  /** Creates a reader of small records for yauzl. */
  reader(): RandomAccessReader;
  /** Yields `length` bytes, or fewer at the end. The memory of each chunk is only valid until the next is requested. */
  chunks(start: number, length: number): AsyncIterable<Buffer>;
}

const READ_BYTES = 1024 * 1024;
/** Reads up to this size are synchronous: handing them to another thread takes longer. */
const SMALL_BYTES = 64 * 1024;

/** The caller keeps the handle. */
export async function fileSource(handle: FileHandle): Promise<ByteSource> {
  const { size } = await handle.stat();
  return {
    size,
    reader: () => new WindowedReader(handle.fd),
    async *chunks(start, length) {
      const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, length));
      for (let done = 0; done < length; ) {
        const most = Math.min(buffer.length, length - done);
        const bytesRead =
          most <= SMALL_BYTES
            ? readSync(handle.fd, buffer, 0, most, start + done)
            : (await handle.read(buffer, 0, most, start + done)).bytesRead;
        if (bytesRead === 0) return;
        done += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    },
  };
}
