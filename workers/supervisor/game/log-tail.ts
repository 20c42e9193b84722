import { type FileHandle, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { openServerFile } from '../../../shared/node/files/server/server-file.ts';

/** Short enough for a live console, long enough to cost nothing. Milliseconds. */
const POLL_MS = 250;
const READ_BYTES = 64 * 1024;
/** How much of the end of the log is searched for the first new line. */
const LOOK_BACK_BYTES = 256 * 1024;
/** A longer line is passed on in pieces. */
const LONGEST_LINE_BYTES = 1024 * 1024;
const LINE_END = 0x0a;

export interface LogTailOptions {
  file: string;
  /** The server's folder, out of which no link is followed. */
  folder: string;
  /** Returns the index of the first new line, or the number of lines if none is new. */
  firstNew: (lines: readonly string[]) => number;
  /** Receives whole lines with their line ends. */
  onLines: (bytes: Buffer) => void;
  signal: AbortSignal;
}

/**
 * Follows a log that another process writes until `signal` fires, across rotations (a new file of the same name, or a shorter one). Waits
 * for a file that is missing or not a regular one. Never throws.
 */
export async function followLogFile({ file, folder, firstNew, onLines, signal }: LogTailOptions): Promise<void> {
  let handle = await openLog(file, folder);
  let at = handle ? await offsetOfNew(handle, firstNew) : 0;
  let begun = Buffer.alloc(0);

  async function readNew(log: FileHandle): Promise<void> {
    for (;;) {
      const { bytesRead, buffer } = await log.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, at);
      if (bytesRead === 0 || signal.aborted) return;
      at += bytesRead;
      const bytes = Buffer.concat([begun, buffer.subarray(0, bytesRead)]);
      const end = bytes.length > LONGEST_LINE_BYTES ? bytes.length : bytes.lastIndexOf(LINE_END) + 1;
      begun = bytes.subarray(end);
      if (end > 0) onLines(bytes.subarray(0, end));
    }
  }

  while (!signal.aborted) {
    try {
      if (handle) await readNew(handle);
      if (!handle || (await wasRotated(handle, { file, at }))) {
        if (handle) await readNew(handle); // the end of the old file
        await handle?.close();
        handle = await openLog(file, folder);
        at = 0;
        begun = Buffer.alloc(0);
        if (handle) continue;
      }
    } catch {
      // The disk failed for a moment; the next poll reads what is there.
    }
    await sleep(POLL_MS, undefined, { signal, ref: false }).catch(() => undefined); // aborted: the loop ends
  }
  await handle?.close();
}

async function openLog(file: string, folder: string): Promise<FileHandle | undefined> {
  try {
    const handle = await openServerFile(file, folder);
    if ((await handle?.stat())?.isFile()) return handle;
    await handle?.close();
  } catch {
    // Missing, or not readable by this user.
  }
  return undefined;
}

async function offsetOfNew(log: FileHandle, firstNew: LogTailOptions['firstNew']): Promise<number> {
  const { size } = await log.stat();
  const start = Math.max(0, size - LOOK_BACK_BYTES);
  const { buffer, bytesRead } = await log.read(Buffer.alloc(size - start), 0, size - start, start);
  const lines: string[] = [];
  const offsets: number[] = [];
  let offset = 0;
  for (let end = buffer.indexOf(LINE_END); end >= 0 && end < bytesRead; end = buffer.indexOf(LINE_END, offset)) {
    lines.push(buffer.toString('utf8', offset, end));
    offsets.push(offset);
    offset = end + 1;
  }
  return start + (offsets[firstNew(lines)] ?? offset);
}

async function wasRotated(log: FileHandle, { file, at }: { file: string; at: number }): Promise<boolean> {
  const now = await stat(file).catch(() => undefined); // missing during a rotation: the next poll finds the new file
  if (!now) return false;
  const { ino, dev } = await log.stat();
  return now.ino !== ino || now.dev !== dev || now.size < at;
}
