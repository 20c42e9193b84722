import type { FileHandle } from 'node:fs/promises';

/** `bytes` is only valid until the next block is requested. */
export interface Block {
  bytes: Buffer;
  isLast: boolean;
}

/** Reads an open file from `start` to `end` in blocks, one ahead. Yields one empty block if there is nothing to read. */
export async function* blocksOf(
  handle: FileHandle,
  { start, end, blockBytes }: { start: number; end: number; blockBytes: number },
): AsyncGenerator<Block, void, undefined> {
  const buffers = [Buffer.allocUnsafe(blockBytes), Buffer.allocUnsafe(blockBytes)] as const;
  const readAt = (position: number, turn: number) =>
    readFully(handle, buffers[turn % 2]!.subarray(0, Math.max(0, Math.min(blockBytes, end - position))), position);
  let reading = readAt(start, 0);
  for (let turn = 0, position = start; ; turn++) {
    const bytes = await reading;
    position += bytes.length;
    const isLast = position >= end;
    if (!isLast) reading = readAt(position, turn + 1);
    yield { bytes, isLast };
    if (isLast) return;
  }
}

async function readFully(handle: FileHandle, into: Buffer, position: number): Promise<Buffer> {
  for (let done = 0; done < into.length; ) {
    const { bytesRead } = await handle.read(into, done, into.length - done, position + done);
    if (bytesRead === 0) throw new Error('The file became shorter while it was read.');
    done += bytesRead;
  }
  return into;
}
