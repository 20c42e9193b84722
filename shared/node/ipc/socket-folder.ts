import { lstat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { GamekeeperError } from '../../errors/gamekeeper-error.ts';
import { SHORT_SOCKET_FOLDER } from '../files/home.ts';

/** Returns whether it is a folder, and no link to one, that belongs to this user and that nobody else can open. Rejects if it is missing. */
export async function isPrivateFolder(folder: string): Promise<boolean> {
  const stats = await lstat(folder);
  return stats.isDirectory() && stats.uid === userInfo().uid && (stats.mode & 0o077) === 0;
}

/**
 * To be called before a local socket is opened. If the folder of a socket is in the system's temporary directory, another user may have created
 * it first, to answer there in the place of Gamekeeper. Throws `daemon_unavailable` for such a folder, and ENOENT if it is missing.
 */
export async function requirePrivateFolder(socketPath: string): Promise<void> {
  const folder = path.dirname(socketPath);
  const isShort = path.dirname(folder) === tmpdir() && SHORT_SOCKET_FOLDER.test(path.basename(folder));
  if (!isShort || (await isPrivateFolder(folder))) return;
  throw new GamekeeperError('daemon_unavailable', notPrivate(folder), { resolution: PRIVATE_RESOLUTION });
}

export function notPrivate(folder: string): string {
  return `${folder}, the folder for Gamekeeper's local sockets, belongs to another user or is open to others.`;
}

export const PRIVATE_RESOLUTION = 'Remove it, or set GAMEKEEPER_HOME to a shorter path.';
