import { type BigIntStats, closeSync, constants, fstatSync, openSync, read, readSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { bytesOf } from '../../../shared/node/files/file-name.ts';

const readAsync = promisify(read);

/** How often to read a file that changes while it is read, or that is missing because it is being replaced. */
const ATTEMPTS = 4;
/** Long enough for a writer to finish a region or a JSON file, but not for a log that never rests. */
const RETRY_MS = 25;
/** File times tick every 4 to 10 ms: a file that was written within the last tick may change without a trace. */
const CLOCK_TICK_MS = 20;
/** Larger reads are no faster; 64 KiB, Node's default, is half as fast. */
const READ_BYTES = 1024 * 1024;
/** O_NONBLOCK: opening a pipe in the file's place would block. Windows has neither flag. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export interface Content {
  /** Its own memory, not a slice of Buffer's shared pool. */
  bytes: Buffer;
  steady: boolean;
}

/** Why there is no file: `replaced` if something else has its name, or a folder on the way has become something else. */
export type Missing = 'gone' | 'replaced';

/**
 * Reads a whole file, whose path must not contain links that others may create (TreeCursor): with the length that it had when it was opened,
 * and again if it changed meanwhile or was missing.
 */
export async function readWhole(file: string): Promise<Content | Missing> {
  for (let attempt = 1; ; attempt++) {
    const content = readOnce(file);
    if (attempt === ATTEMPTS || (typeof content === 'object' && content.steady)) return content;
    await delay(RETRY_MS);
  }
}

/** A file too large for memory, open for one pass. */
export interface LargeFile {
  /** Length when it was opened. No more is read, and less only if the file shrinks. */
  readonly size: number;
  /** Returns up to `length` bytes at `position`. */
  peek(position: number, length: number): Buffer;
  chunks(): AsyncGenerator<Buffer>;
  /** Returns true if the file has not changed since it was opened. */
  isSteady(): boolean;
  close(): void;
}

/** Opens a file for streaming, with a path as for readWhole. */
export async function openLarge(file: string): Promise<LargeFile | Missing> {
  for (let attempt = 1; ; attempt++) {
    const opened = openOrdinary(file);
    if (typeof opened === 'object') return streamed(opened);
    if (attempt === ATTEMPTS) return opened;
    await delay(RETRY_MS);
  }
}

/** Opens a file for APIs that take paths: `place` leads to the opened file even if its name is replaced. */
export function openInPlace(file: string): { descriptor: number; place: string } | Missing {
  const opened = openOrdinary(file);
  if (typeof opened === 'string') return opened;
  const { descriptor } = opened;
  return { descriptor, place: process.platform === 'linux' ? `/proc/self/fd/${descriptor}` : file };
}

function streamed(opened: Opened): LargeFile {
  const { descriptor, stats } = opened;
  const size = Number(stats.size);
  return {
    size,
    peek(position, length) {
      const memory = Buffer.alloc(length);
      return memory.subarray(0, readSync(descriptor, memory, 0, length, position));
    },
    async *chunks() {
      for (let position = 0; position < size; ) {
        const memory = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, size - position));
        const { bytesRead } = await readAsync(descriptor, memory, 0, memory.length, position);
        if (bytesRead === 0) return;
        position += bytesRead;
        yield memory.subarray(0, bytesRead);
      }
    },
    isSteady: () => isSteady(opened, fstatSync(descriptor, { bigint: true })),
    close: () => closeSync(descriptor),
  };
}

function readOnce(file: string): Content | Missing {
  const opened = openOrdinary(file);
  if (typeof opened === 'string') return opened;
  const { descriptor, stats } = opened;
  try {
    const bytes = Buffer.allocUnsafeSlow(Number(stats.size));
    let length = 0;
    while (length < bytes.length) {
      const count = readSync(descriptor, bytes, length, Math.min(READ_BYTES, bytes.length - length), length);
      if (count === 0) break;
      length += count;
    }
    return { bytes: bytes.subarray(0, length), steady: isSteady(opened, fstatSync(descriptor, { bigint: true })) };
  } finally {
    closeSync(descriptor);
  }
}

interface Opened {
  descriptor: number;
  stats: BigIntStats;
  at: number;
}

function openOrdinary(file: string): Opened | Missing {
  let descriptor: number;
  try {
    descriptor = openSync(bytesOf(file), OPEN_FLAGS);
  } catch (error) {
    const missing = missingBy(error);
    if (missing) return missing;
    throw error;
  }
  const stats = fstatSync(descriptor, { bigint: true });
  if (stats.isFile()) return { descriptor, stats, at: Date.now() };
  closeSync(descriptor);
  return 'replaced';
}

function isSteady({ stats: before, at }: Opened, after: BigIntStats): boolean {
  const isSame = before.size === after.size && before.mtimeNs === after.mtimeNs && before.ctimeNs === after.ctimeNs;
  return isSame && Math.abs(at - Number(before.mtimeMs)) > CLOCK_TICK_MS;
}

/** Returns `undefined` for errors that say something else. ENXIO: a socket has taken the file's place. */
export function missingBy(error: unknown): Missing | undefined {
  if (hasErrorCode(error, 'ENOENT')) return 'gone';
  return hasErrorCode(error, 'ENOTDIR', 'ELOOP', 'ENXIO') ? 'replaced' : undefined;
}
