import { type FileHandle, open, truncate } from 'node:fs/promises';
import { hasErrorCode } from '../../../../shared/errors/error-code.ts';

const LF = 0x0a;
/** Read at a time to count lines. */
const COUNT_BYTES = 1024 * 1024;

export interface WholeLines {
  lines: number;
  bytes: number;
}

/** Cuts off what follows a file's last whole line, and returns the size of the rest. */
export async function keepWholeLines(file: string): Promise<WholeLines> {
  const kept = { lines: 0, bytes: 0 };
  for await (const lines of wholeLines(file, COUNT_BYTES)) {
    kept.lines += countLines(lines);
    kept.bytes += lines.length;
  }
  await truncate(file, kept.bytes);
  return kept;
}

/** Reads a file in pieces of whole lines, each valid until the next. A file that was rotated away is empty. */
export async function* wholeLines(file: string, pieceBytes: number): AsyncGenerator<Buffer> {
  const handle = await openIfExists(file);
  if (!handle) return;
  try {
    const memory = Buffer.allocUnsafe(pieceBytes);
    for (let offset = 0; ; ) {
      const { bytesRead } = await handle.read(memory, 0, pieceBytes, offset);
      const bytes = memory.subarray(0, bytesRead);
      const end = bytes.lastIndexOf(LF) + 1;
      if (end === 0) return;
      yield bytes.subarray(0, end);
      offset += end;
    }
  } finally {
    await handle.close();
  }
}

/** Opens a file for reading. Returns `undefined` if it was rotated away or removed. */
export async function openIfExists(file: string): Promise<FileHandle | undefined> {
  return open(file).catch(unlessMissing);
}

/** Returns the part of `memory` that could be filled. */
export async function readAt(handle: FileHandle, offset: number, memory: Buffer): Promise<Buffer> {
  const { bytesRead } = await handle.read(memory, 0, memory.length, offset);
  return memory.subarray(0, bytesRead);
}

/** Returns `undefined` for ENOENT and throws any other error. */
export function unlessMissing(error: unknown): undefined {
  if (hasErrorCode(error, 'ENOENT')) return undefined;
  throw error;
}

/** Returns the number of line feeds. */
export function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) count++;
  return count;
}
