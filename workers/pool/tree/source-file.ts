import { type BigIntStats, closeSync, constants, fstatSync, openSync, read, readlinkSync, readSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { bytesOf, nameOf } from '../../../shared/node/files/file-name.ts';
import { isGone } from './walk.ts';

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

/**
 * Reads a whole file, whose path must not contain links: with the length that it had when it was opened, and again if it changed meanwhile
 * or was missing. Returns `undefined` if it stays missing or is no ordinary file.
 */
export async function readWhole(file: string): Promise<Content | undefined> {
  for (let attempt = 1; ; attempt++) {
    const content = readOnce(file);
    if (content?.steady || attempt === ATTEMPTS) return content;
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

/** Opens a file for streaming; `undefined` as for readWhole. */
export async function openLarge(file: string): Promise<LargeFile | undefined> {
  let opened = openOrdinary(file);
  for (let attempt = 1; opened === undefined && attempt < ATTEMPTS; attempt++) {
    await delay(RETRY_MS);
    opened = openOrdinary(file);
  }
  return opened && streamed(opened);
}

/** Opens a file for APIs that take paths: `place` leads to the opened file even if its name is replaced. `undefined` as for readWhole. */
export function openInPlace(file: string): { descriptor: number; place: string } | undefined {
  const opened = openOrdinary(file);
  if (opened === undefined) return undefined;
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

function readOnce(file: string): Content | undefined {
  const opened = openOrdinary(file);
  if (opened === undefined) return undefined;
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

function openOrdinary(file: string): Opened | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(bytesOf(file), OPEN_FLAGS);
  } catch (error) {
    if (isGone(error) || isReplaced(error)) return undefined;
    throw error;
  }
  const stats = fstatSync(descriptor, { bigint: true });
  if (stats.isFile() && isInPlace(file, descriptor)) return { descriptor, stats, at: Date.now() };
  closeSync(descriptor);
  return undefined;
}

function isSteady({ stats: before, at }: Opened, after: BigIntStats): boolean {
  const isSame = before.size === after.size && before.mtimeNs === after.mtimeNs && before.ctimeNs === after.ctimeNs;
  return isSame && Math.abs(at - Number(before.mtimeMs)) > CLOCK_TICK_MS;
}

/**
 * Returns false if a folder in its path was replaced by a link, so that the opened file is elsewhere (CVE-2024-27102); the kernel knows its
 * real path. A file that was just replaced still counts.
 */
function isInPlace(file: string, descriptor: number): boolean {
  if (process.platform !== 'linux') return true;
  const place = nameOf(readlinkSync(`/proc/self/fd/${descriptor}`, 'buffer'));
  return place === file || place === `${file} (deleted)`;
}

/** ENXIO: a socket has taken the file's place. */
function isReplaced(error: unknown): boolean {
  return hasErrorCode(error, 'ENXIO');
}
