import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, hasErrorCode } from '../../../errors/error-code.ts';
import { GamekeeperError } from '../../../errors/gamekeeper-error.ts';
import { machineShortage } from '../../../errors/machine-shortage.ts';

/** Settings files have a few kilobytes. */
const LARGEST_BYTES = 1024 * 1024;
/** Without O_NONBLOCK, opening a pipe would never return. Windows has no such flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a small file of a game server's folder; `undefined` if there is none. The folder is hostile input, because plug-ins and downloaded
 * archives write to it. Throws `invalid_state` for anything but an ordinary file, a file that is too large, or a link that leads out of the
 * folder (see CVE-2023-25152).
 */
export async function readServerFile(
  file: string,
  { largestBytes = LARGEST_BYTES }: { largestBytes?: number } = {},
): Promise<Buffer | undefined> {
  const handle = await openServerFile(file, path.dirname(file));
  if (handle === undefined) return undefined;
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw unusable(file, 'is not an ordinary file');
    if (stats.size > largestBytes) throw unusable(file, `is larger than ${largestBytes / 1024 / 1024} MiB`);
    return await readAtMost(handle, stats.size);
  } finally {
    await handle.close();
  }
}

/**
 * Opens whatever has this name, to read it; `undefined` if there is nothing. Throws `invalid_state` if it cannot be opened or is not in the folder,
 * even if a link replaces something on the way meanwhile.
 */
export async function openServerFile(file: string, folder: string): Promise<FileHandle | undefined> {
  const handle = await open(file, FLAGS).catch((cause: unknown) => {
    if (hasErrorCode(cause, 'ENOENT')) return undefined;
    if (machineShortage(cause)) throw cause; // the file is not the problem
    throw unusable(file, `cannot be read (${errorCode(cause)})`, cause);
  });
  try {
    if (handle) requireInside(file, { place: await placeOf(handle, file), folder: await realpath(folder) });
    return handle;
  } catch (error) {
    await handle?.close();
    throw error;
  }
}

/** Linux's kernel knows where an open file is. Elsewhere its name is resolved once more. */
function placeOf({ fd }: FileHandle, file: string): Promise<string> {
  return process.platform === 'linux' ? readlink(`/proc/self/fd/${fd}`) : realpath(file);
}

/** Throws `invalid_state` unless the place, which a file was found at, is in the folder. Both are without links. */
export function requireInside(file: string, { place, folder }: { place: string; folder: string }): void {
  if (!place.startsWith(folder + path.sep)) throw unusable(file, "is a link that leads out of the server's folder");
}

/** The file may grow while it is read. */
async function readAtMost(handle: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await handle.read(bytes, length, size - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

function unusable(file: string, why: string, cause?: unknown): GamekeeperError {
  const name = path.basename(file);
  return new GamekeeperError('invalid_state', `${name} in the server's folder ${why}.`, {
    resolution: `Put an ordinary ${name} in its place, or remove it.`,
    cause,
  });
}
