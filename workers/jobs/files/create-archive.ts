import { closeSync, constants, fchmodSync, fchownSync, lstatSync, openSync } from 'node:fs';
import path from 'node:path';
import { splitFilePath, UNPACKED_FOLDER } from '../../../shared/domain/files/file-path.ts';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { syncDirectory } from '../../../shared/node/files/atomic-file.ts';
import { bytesOf, shownName } from '../../../shared/node/files/file-name.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import { giveTo, ownerOf } from '../../../shared/node/files/owner.ts';
import { renameToNew } from '../../../shared/node/files/rename-to-new.ts';
import { realServerFolder } from '../../../shared/node/files/server/server-folder.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { underConstruction } from '../../../shared/node/files/under-construction.ts';
import type { JobRun } from '../queue/job-entry.ts';
import type { Pool } from '../resources/pool.ts';
import { randomHex } from '../resources/random-hex.ts';
import { realFolder, requireFilePath } from './real-place.ts';
import { requireNoRestore } from './require-no-restore.ts';

const NEW_FILE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
const ZIP_MODE = 0o644;

export interface ArchiveOrder {
  instanceId: string;
  /** The server's folder. */
  directory: string;
  /** A folder, relative to it. */
  path: string;
  /** What of that folder to put into the ZIP. Without names: everything. */
  names?: readonly string[] | undefined;
  /** The ZIP to create, relative to the server's folder. Nothing is there yet, but the folder above is. */
  to: string;
}

/** Throws what `createArchive` would throw by now: `file_not_found`, `invalid_path` and `file_exists`. */
export async function requireArchivable({ directory, path: folder, names = [], to }: ArchiveOrder): Promise<void> {
  if (to === '') throw new GamekeeperError('invalid_path', 'The ZIP needs a name.');
  requireFilePath(to);
  await realFolder(directory, folder);
  await realFolder(directory, splitFilePath(to).folder);
  for (const name of names) requireFilePath(pathIn(folder, name));
  using cursor = new TreeCursor(await realServerFolder(directory));
  const isThere = (name: string) => lstatSync(bytesOf(cursor.placeOf(name)), { throwIfNoEntry: false }) !== undefined;
  const missing = names.map((name) => pathIn(folder, name)).find((name) => !isThere(name));
  if (missing !== undefined) throw new GamekeeperError('file_not_found', `There is no "${shownName(missing)}".`);
  if (isThere(to)) throw taken(to);
}

/**
 * Creates a ZIP of what is in a folder, as it is at that moment. Links, sockets and devices are left out. It appears when it is whole, and replaces
 * nothing; of one that fails nothing is left. Throws as `requireArchivable`, `insufficient_storage`, and `invalid_state` if something cannot be read.
 */
export async function createArchive(
  order: ArchiveOrder,
  run: JobRun,
  { pool, home }: { pool: Pool; home: Home },
): Promise<void> {
  const source = await realFolder(order.directory, order.path);
  const root = await realServerFolder(order.directory);
  const own = `${UNPACKED_FOLDER}/${randomHex(12)}`;
  const { folder } = splitFilePath(order.to);
  await using made = underConstruction(root, { own, folder });
  using zip = createFile(root, made.path);
  const { progress } = run.phase(0);
  const task = { source, file: zip.place, progress: progress.memory, ...(order.names && { names: order.names }) };
  run.omits(await pool.run('exportFolder', task, run.signal));
  run.signal.throwIfAborted();
  requireNoRestore(home, order.instanceId);
  using cursor = new TreeCursor(root);
  giveTo(ownerOf(lstatSync(`${cursor.enter(folder)}/.`)), (...owner) => fchownSync(zip.descriptor, ...owner));
  fchmodSync(zip.descriptor, ZIP_MODE);
  publish(root, made.path, order.to);
  await syncDirectory(cursor.enter(folder));
}

/** Creates an empty file. `place` leads to it for as long as it is open. */
function createFile(root: string, name: string): Disposable & { descriptor: number; place: string } {
  using cursor = new TreeCursor(root);
  const descriptor = openSync(bytesOf(cursor.placeOf(name)), NEW_FILE, 0o600);
  const place = process.platform === 'linux' ? `/proc/self/fd/${descriptor}` : path.join(root, name);
  return { descriptor, place, [Symbol.dispose]: () => closeSync(descriptor) };
}

function publish(root: string, from: string, to: string): void {
  using source = new TreeCursor(root);
  using target = new TreeCursor(root);
  try {
    renameToNew(source.placeOf(from), target.placeOf(to));
  } catch (error) {
    throw hasErrorCode(error, 'EEXIST', 'ENOTEMPTY') ? taken(to) : error;
  }
}

function taken(to: string): GamekeeperError {
  return new GamekeeperError('file_exists', `"${shownName(to)}" already exists.`, {
    resolution: 'Choose another name for the ZIP, or delete or rename what is there first.',
  });
}

function pathIn(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
