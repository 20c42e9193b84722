import { constants } from 'node:fs';
import { access, chmod, lstat, mkdir, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { errorCode } from '../../shared/errors/error-code.ts';
import { type Home, shortSocketDirectory } from '../../shared/node/files/home.ts';
import { StartupError } from '../startup/startup-error.ts';

/** Nobody but the owner: console logs, worlds and sockets are all below. */
const PRIVATE = 0o700;

/**
 * Looks at what is there already, and makes nothing, so that a mistake in the settings leaves nothing behind. Throws StartupError
 * where no data directory can be.
 */
export async function checkHome(home: Home): Promise<void> {
  try {
    const stats = await stat(home.root);
    if (!stats.isDirectory()) throw unusable(home, 'it is a file, not a folder');
    await access(home.root, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    if (errorCode(error) !== 'ENOENT') throw unusable(home, explain(error), error);
  }
}

/** Makes the data directory and what every process expects in it. Throws StartupError where that cannot be. */
export async function prepareHome(home: Home): Promise<void> {
  try {
    await makeWithParents(home.root);
    for (const directory of [home.instances, home.backups, home.cache, home.runtimes, home.software, home.logs])
      await mkdir(directory, { recursive: true, mode: PRIVATE });
    for (const directory of [home.run, path.dirname(home.supervisorRecord('any'))]) {
      await mkdir(directory, { recursive: true, mode: PRIVATE });
      // It may be there from an unpacked backup of the home, with whatever mode that gave it.
      await chmod(directory, PRIVATE);
    }
    await removeStrayFolders(home);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw unusable(home, explain(error), error);
  }
}

/**
 * Makes the folder of the sockets where the data directory's path is too long for them. For the one who has the home: who ends, or is refused
 * it, must not remove the folder of who has it. Throws StartupError where it cannot be trusted.
 */
export async function prepareSockets(home: Home): Promise<void> {
  if (!usesShortSockets(home)) return;
  try {
    await prepareShortSockets(shortSocketDirectory(home.root));
  } catch (error) {
    throw error instanceof StartupError ? error : unusable(home, explain(error), error);
  }
}

/** Removes the sockets' own folder once nothing is left in it. */
export async function removeShortSockets(home: Home): Promise<void> {
  if (!usesShortSockets(home)) return;
  // A supervisor that goes on running has its socket in there: then the folder stays.
  await rmdir(shortSocketDirectory(home.root)).catch(() => undefined);
}

/** Records, sockets and marks are files: a folder in the place of one would be in its way for ever. */
async function removeStrayFolders(home: Home): Promise<void> {
  const instances = path.dirname(home.supervisorRecord('any'));
  for (const parent of [home.run, instances]) {
    for (const entry of await readdir(parent, { withFileTypes: true })) {
      const folder = path.join(parent, entry.name);
      if (entry.isDirectory() && folder !== instances) await rm(folder, { recursive: true, force: true });
    }
  }
}

/**
 * A recursive mkdir of Node's own (seen with 24.21) tries for ever where a parent is there and nothing can be made in it all the same,
 * as in /proc.
 */
async function makeWithParents(directory: string): Promise<void> {
  const make = () => mkdir(directory, { mode: PRIVATE });
  try {
    await make();
  } catch (error) {
    if (errorCode(error) === 'EEXIST' && (await stat(directory)).isDirectory()) return;
    const parent = path.dirname(directory);
    if (errorCode(error) !== 'ENOENT' || parent === directory) throw error;
    await makeWithParents(parent);
    await make();
  }
}

function usesShortSockets(home: Home): boolean {
  return path.dirname(home.daemonSocket) === shortSocketDirectory(home.root);
}

/** The system's temporary directory is everybody's: somebody else may have made a folder of this name first. */
async function prepareShortSockets(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: PRIVATE });
  const stats = await lstat(directory);
  if (!stats.isDirectory() || stats.uid !== userInfo().uid || (stats.mode & 0o077) !== 0)
    throw new StartupError(
      `${directory}, which is to hold Gamekeeper's local sockets, belongs to another user or is open to others.\n` +
        'Remove it, or set GAMEKEEPER_HOME to a shorter path.',
    );
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write to it',
  EPERM: 'this user may not write to it',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EEXIST: 'there is a file of this name, not a folder',
  ENOSPC: 'the disk is full',
  ENOENT: 'nothing can be made where it would be',
};

function unusable(home: Home, reason: string, cause?: unknown): StartupError {
  return new StartupError(
    `The data directory ${home.root} cannot be used: ${reason}.\n` +
      'Make it writable for this user, or set GAMEKEEPER_HOME to another folder.',
    { cause },
  );
}

function explain(error: unknown): string {
  return REASONS[errorCode(error) ?? ''] ?? (error instanceof Error ? error.message : String(error));
}
