import { constants } from 'node:fs';
import { access, chmod, mkdir, readdir, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../shared/errors/error-code.ts';
import { type Home, shortSocketDirectory } from '../../shared/node/files/home.ts';
import { isPrivateFolder, notPrivate, PRIVATE_RESOLUTION } from '../../shared/node/ipc/socket-folder.ts';
import { StartupError } from '../../shared/node/processes/startup-error.ts';

/** Console logs, worlds and sockets are for the owner only. */
const PRIVATE = 0o700;

/** Checks the data directory without creating anything. Throws StartupError if it cannot be used. */
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

/** Creates the data directory and its folders. Throws StartupError if that fails. */
export async function prepareHome(home: Home): Promise<void> {
  try {
    await createWithParents(home.root);
    for (const directory of [home.instances, home.backups, home.cache, home.runtimes, home.software, home.logs])
      await mkdir(directory, { recursive: true, mode: PRIVATE });
    for (const directory of [home.run, path.dirname(home.supervisorRecord('any'))]) {
      await mkdir(directory, { recursive: true, mode: PRIVATE });
      // It may come from a backup of the data directory, with another mode.
      await chmod(directory, PRIVATE);
    }
    await removeStrayFolders(home);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw unusable(home, explain(error), error);
  }
}

/**
 * Creates a folder for sockets outside of the data directory if paths inside it are too long for sockets. The caller must hold the home's
 * lock, so that another daemon's folder is never removed. Throws StartupError if the folder cannot be trusted.
 */
export async function prepareSockets(home: Home): Promise<void> {
  if (!usesShortSockets(home)) return;
  try {
    await prepareShortSockets(shortSocketDirectory(home.root));
  } catch (error) {
    throw error instanceof StartupError ? error : unusable(home, explain(error), error);
  }
}

/** Removes that folder if it is empty. */
export async function removeShortSockets(home: Home): Promise<void> {
  if (!usesShortSockets(home)) return;
  // It stays while it has the socket of a running supervisor.
  await rmdir(shortSocketDirectory(home.root)).catch(() => undefined);
}

/** Records, sockets and marks are files. Folders with the same names would block them. */
async function removeStrayFolders(home: Home): Promise<void> {
  const instances = path.dirname(home.supervisorRecord('any'));
  for (const parent of [home.run, instances]) {
    for (const entry of await readdir(parent, { withFileTypes: true })) {
      const folder = path.join(parent, entry.name);
      if (entry.isDirectory() && folder !== instances) await rm(folder, { recursive: true, force: true });
    }
  }
}

/** Node's recursive mkdir (seen with 24.21) never returns if a parent exists but nothing can be created in it, as in /proc. */
async function createWithParents(directory: string): Promise<void> {
  const create = () => mkdir(directory, { mode: PRIVATE });
  try {
    await create();
  } catch (error) {
    if (errorCode(error) === 'EEXIST' && (await stat(directory)).isDirectory()) return;
    const parent = path.dirname(directory);
    if (errorCode(error) !== 'ENOENT' || parent === directory) throw error;
    await createWithParents(parent);
    await create();
  }
}

function usesShortSockets(home: Home): boolean {
  return path.dirname(home.daemonSocket) === shortSocketDirectory(home.root);
}

/** Another user may already have created a folder of this name in the system's temporary directory. */
async function prepareShortSockets(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: PRIVATE });
  if (!(await isPrivateFolder(directory))) throw new StartupError(`${notPrivate(directory)}\n${PRIVATE_RESOLUTION}`);
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user has no write permission',
  EPERM: 'this user has no write permission',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'part of its path is a file, not a folder',
  EEXIST: 'it is a file, not a folder',
  ENOSPC: 'the disk is full',
  ENOENT: 'it cannot be created there',
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
