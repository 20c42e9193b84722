import { lstatSync, readdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { isOwnName, UNPACKED_FOLDER } from '../../../shared/domain/files/file-path.ts';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { RESERVED_BYTES, requireSpace } from '../../../shared/node/files/disk-space.ts';
import { bytesOf, nameOf, shownName } from '../../../shared/node/files/file-name.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import { type Owner, ownerOf } from '../../../shared/node/files/owner.ts';
import { renameToNew } from '../../../shared/node/files/rename-to-new.ts';
import { realServerFolder } from '../../../shared/node/files/server/server-folder.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { underConstruction } from '../../../shared/node/files/under-construction.ts';
import { isDamage, whatIsDamaged } from '../backups/archive-damage.ts';
import type { JobRun } from '../queue/job-entry.ts';
import type { Pool } from '../resources/pool.ts';
import { randomHex } from '../resources/random-hex.ts';
import { openInFolder, realFolder } from './real-place.ts';
import { requireNoRestore } from './require-no-restore.ts';

export interface ExtractOrder {
  instanceId: string;
  /** The server's folder. */
  directory: string;
  /** The ZIP, relative to it. */
  path: string;
  /** The folder to unpack into, which exists. */
  to: string;
}

export interface UnpackOrder {
  /** Path of the ZIP. */
  archive: string;
  /** The folder to create. */
  target: string;
  /** Who gets everything in it. Default: the user of this process. */
  owner?: Owner | undefined;
}

/**
 * Unpacks a ZIP of any origin inside a server's folder. Everything is checked and unpacked beside the server's files first, and moved into place only
 * if nothing there has one of its names, so a failure changes nothing. Throws `file_exists`, `invalid_request` for an archive that is damaged or
 * dangerous, and `insufficient_storage`.
 */
export async function extractArchive(
  order: ExtractOrder,
  run: JobRun,
  { pool, home }: { pool: Pool; home: Home },
): Promise<void> {
  using archive = await openInFolder(order.directory, order.path);
  await realFolder(order.directory, order.to);
  const root = await realServerFolder(order.directory);
  const own = `${UNPACKED_FOLDER}/${randomHex(12)}`;
  await using unpacked = underConstruction(root, { own, folder: order.to });
  const owner = ownerOfFolder(root, order.to);
  await unpackChecked({ archive: archive.place, target: path.join(root, unpacked.path), owner }, run, pool);
  run.signal.throwIfAborted();
  requireNoRestore(home, order.instanceId);
  moveInto(root, unpacked.path, order.to);
}

/**
 * Unpacks a ZIP of any origin into a folder that does not exist yet. Throws `invalid_request` for one that is damaged or dangerous, and
 * `insufficient_storage`.
 */
export async function unpackChecked({ archive, target, owner }: UnpackOrder, run: JobRun, pool: Pool): Promise<void> {
  const { size } = await stat(archive);
  const [reading, unpacking] = [run.phase(size), run.phase(size)];
  try {
    const inspection = { archive, progress: reading.progress.memory };
    const { sha256, sourceBytes } = await pool.run('inspect', inspection, run.signal);
    const needed = sourceBytes + RESERVED_BYTES;
    await requireSpace(path.dirname(target), needed, 'What is in the archive, with what the game needs to save,');
    const task = { archive, target, sha256, sourceBytes, owners: owner, progress: unpacking.progress.memory };
    await pool.run('extract', task, run.signal);
  } catch (error) {
    if (!isDamage(error)) throw error;
    throw new GamekeeperError('invalid_request', `The archive cannot be unpacked. ${whatIsDamaged(error)}`, {
      resolution: 'Use a ZIP file without links, whose file names are valid on every system.',
      cause: error,
    });
  }
}

/** A server that runs as another user can then change what was unpacked. */
function ownerOfFolder(root: string, folder: string): Owner | undefined {
  using cursor = new TreeCursor(root);
  return ownerOf(lstatSync(`${cursor.enter(folder)}/.`));
}

/** Moves all entries, or none. */
function moveInto(root: string, from: string, to: string): void {
  using source = new TreeCursor(root);
  using target = new TreeCursor(root);
  const unpacked = source.enter(from);
  const folder = target.enter(to);
  const names = readdirSync(unpacked, { encoding: 'buffer' }).map(nameOf);
  const own = to === '' ? names.find(isOwnName) : undefined;
  if (own !== undefined)
    throw new GamekeeperError('invalid_request', `The archive contains "${shownName(own)}", a folder of Gamekeeper.`, {
      resolution: 'Unpack it into a folder of its own.',
    });
  const present = names.find((name) => inodeAt(`${folder}/${name}`) !== undefined);
  if (present !== undefined) throw taken(present, to);
  const moved: { name: string; inode: bigint }[] = [];
  try {
    for (const name of names) {
      const inode = inodeAt(`${unpacked}/${name}`)!;
      renameToNew(`${unpacked}/${name}`, `${folder}/${name}`);
      moved.push({ name, inode });
    }
  } catch (error) {
    // Unless somebody has put something else there meanwhile.
    for (const { name, inode } of moved)
      if (inodeAt(`${folder}/${name}`) === inode) renameToNew(`${folder}/${name}`, `${unpacked}/${name}`);
    throw hasErrorCode(error, 'EEXIST', 'ENOTEMPTY') ? taken(names[moved.length]!, to) : error;
  }
}

function inodeAt(place: string): bigint | undefined {
  return lstatSync(bytesOf(place), { bigint: true, throwIfNoEntry: false })?.ino;
}

function taken(name: string, to: string): GamekeeperError {
  return new GamekeeperError('file_exists', `"${shownName(to === '' ? name : `${to}/${name}`)}" already exists.`, {
    resolution: 'Unpack into an empty folder, or delete or rename what is there first.',
  });
}
