import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, stat } from 'node:fs/promises';
import { hasErrorCode } from '../../../../../shared/errors/error-code.ts';

/** Bytes per read: large enough for the disk, small enough to hash without blocking others. */
const READ_BYTES = 256 * 1024;

/** Reads a local file; `end` is exclusive. */
export function readLocal(file: string, { start, end }: { start: number; end?: number }): AsyncIterable<Buffer> {
  return createReadStream(file, {
    start,
    highWaterMark: READ_BYTES,
    ...(end !== undefined && { end: end - 1 }),
  });
}

export async function sha256Of(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

/** Returns 0 if there is no such file. */
export async function localSize(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return 0;
    throw error;
  }
}

export async function writeAt(handle: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    const { bytesWritten } = await handle.write(chunk, done, chunk.length - done, position + done);
    done += bytesWritten;
  }
}
