import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Progress } from '../progress.ts';

const READ_BYTES = 1024 * 1024;

/** Returns the hex SHA-256 of a whole open file, regardless of its position. Reads one block ahead. */
export async function hashFile(handle: FileHandle, progress: Progress): Promise<string> {
  const hash = createHash('sha256');
  const buffers = [Buffer.allocUnsafe(READ_BYTES), Buffer.allocUnsafe(READ_BYTES)] as const;
  let position = 0;
  let reading = handle.read(buffers[0], 0, READ_BYTES, 0);
  for (let turn = 1; ; turn++) {
    const { bytesRead, buffer } = await reading;
    if (bytesRead === 0) return hash.digest('hex');
    position += bytesRead;
    reading = handle.read(buffers[turn % 2]!, 0, READ_BYTES, position);
    hash.update(buffer.subarray(0, bytesRead));
    progress.advance(bytesRead);
  }
}
