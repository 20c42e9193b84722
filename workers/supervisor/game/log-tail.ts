import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { locateServerFile } from '../../../shared/node/files/server-file.ts';

/** Soon enough for somebody who reads along, rare enough to cost nothing. */
const LOOK_MS = 250;
/** Read at once. */
const READ_BYTES = 64 * 1024;
/** How far back the place is looked for from which on a log is new. */
const LOOK_BACK_BYTES = 256 * 1024;
/** A line of more than this is handed on in pieces. */
const LONGEST_LINE_BYTES = 1024 * 1024;
const LINE_END = 0x0a;
/** A pipe in the file's place would be waited for; Windows has no such flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export interface LogTailOptions {
  file: string;
  /** Which of the last lines come first: the index, and their number where none is new. */
  firstNew: (lines: readonly string[]) => number;
  /** Whole lines, their line ends included. */
  onLines: (bytes: Buffer) => void;
  signal: AbortSignal;
}

/**
 * Follows a log that somebody else writes, over its rotation (another file of the name, or a shorter one), until `signal` fires. A file
 * that is missing, or no ordinary one, is waited for. Never throws.
 */
export async function followLogFile({ file, firstNew, onLines, signal }: LogTailOptions): Promise<void> {
  let handle = await openLog(file);
  let at = handle ? await placeOfNew(handle, firstNew) : 0;
  let begun = Buffer.alloc(0);

  async function readOn(log: FileHandle): Promise<void> {
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
      if (handle) await readOn(handle);
      if (!handle || (await wasRotated(handle, { file, at }))) {
        if (handle) await readOn(handle); // what was written until then
        await handle?.close();
        handle = await openLog(file);
        at = 0;
        begun = Buffer.alloc(0);
        if (handle) continue;
      }
    } catch {
      // A disk that fails for a moment: what is there is read at the next look.
    }
    await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined); // aborted: the loop ends
  }
  await handle?.close();
}

async function openLog(file: string): Promise<FileHandle | undefined> {
  try {
    const handle = await open(await locateServerFile(file), FLAGS);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch {
    // Not there yet, or not for us.
  }
  return undefined;
}

/** Where the first line begins that `firstNew` calls new. */
async function placeOfNew(log: FileHandle, firstNew: LogTailOptions['firstNew']): Promise<number> {
  const { size } = await log.stat();
  const start = Math.max(0, size - LOOK_BACK_BYTES);
  const { buffer, bytesRead } = await log.read(Buffer.alloc(size - start), 0, size - start, start);
  const lines: string[] = [];
  const places: number[] = [];
  let place = 0;
  for (let end = buffer.indexOf(LINE_END); end >= 0 && end < bytesRead; end = buffer.indexOf(LINE_END, place)) {
    lines.push(buffer.toString('utf8', place, end));
    places.push(place);
    place = end + 1;
  }
  return start + (places[firstNew(lines)] ?? place);
}

async function wasRotated(log: FileHandle, { file, at }: { file: string; at: number }): Promise<boolean> {
  const now = await stat(file).catch(() => undefined); // between two files: the next look finds the other
  if (!now) return false;
  const { ino, dev } = await log.stat();
  return now.ino !== ino || now.dev !== dev || now.size < at;
}
