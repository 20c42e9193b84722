import { statfs } from 'node:fs/promises';
import { isDiskFull } from '../../errors/disk-full.ts';
import { GamekeeperError } from '../../errors/gamekeeper-error.ts';

/** Left free by whatever writes into a server's folder: the game needs space to save. */
export const RESERVED_BYTES = 256 * 1024 * 1024;

/** Throws `insufficient_storage` if the disk of `directory`, which may also be a file, has less than `bytes` free. `what` begins the message: "The backup". */
export async function requireSpace(directory: string, bytes: number, what: string): Promise<void> {
  const free = await freeBytes(directory);
  if (bytes > free) throw storageError(`${what} needs up to ${readable(bytes)}, but only ${readable(free)} are free.`);
}

/** Returns what this user may still write to the disk of `directory`, which may also be a file. */
export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

/** Turns the error of a full disk into `insufficient_storage`. Returns any other error unchanged. */
export function withStorageError(error: unknown, what: string): unknown {
  return isDiskFull(error) ? storageError(`The disk became full while ${what} was written.`, error) : error;
}

function storageError(detail: string, cause?: unknown): GamekeeperError {
  return new GamekeeperError('insufficient_storage', detail, cause === undefined ? {} : { cause });
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

function readable(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
}
