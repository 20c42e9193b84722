import { chmodSync, chownSync, mkdirSync, renameSync } from 'node:fs';
import { splitFilePath } from '../../../shared/domain/files/file-path.ts';
import { bytesOf } from '../../../shared/node/files/file-name.ts';
import { giveTo, ownerOf } from '../../../shared/node/files/owner.ts';
import { renameToNew } from '../../../shared/node/files/rename-to-new.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { statAt } from './entry.ts';
import { explained, fileExists, fileNotFound, invalidPath, requirePath } from './file-error.ts';

const FOLDER_MODE = 0o755;

/** Creates a folder that belongs to the owner of the one above, which must exist. Throws `file_exists`. */
export function makeFolder(root: string, path: string): void {
  requirePath(path, { isBelow: true });
  explained(path, () => {
    using cursor = new TreeCursor(root);
    const place = cursor.placeOf(path);
    mkdirSync(bytesOf(place), { mode: FOLDER_MODE });
    // The umask may have removed rights that the game needs.
    chmodSync(cursor.enter(path), FOLDER_MODE);
    giveToOwnerOf(cursor, splitFilePath(path).folder, path);
  });
}

/** Moves or renames a file, folder or link. Throws `file_exists`: nothing is ever replaced. */
export function moveEntry(root: string, from: string, to: string): void {
  requirePath(from, { isBelow: true });
  requirePath(to, { isBelow: true });
  if (to === from) return;
  if (to.startsWith(`${from}/`)) throw invalidPath(to, 'is inside the folder that is moved');
  using source = explained(from, () => new TreeCursor(root));
  using target = explained(to, () => new TreeCursor(root));
  const fromPlace = explained(from, () => source.placeOf(from));
  const toPlace = explained(to, () => target.placeOf(to));
  const moved = statAt(fromPlace);
  if (!moved) throw fileNotFound(from);
  const found = statAt(toPlace);
  // Where case does not matter, a change of case finds the entry itself.
  if (found && !(found.ino === moved.ino && found.dev === moved.dev)) throw fileExists(to);
  explained(to, () => {
    if (found) renameSync(bytesOf(fromPlace), bytesOf(toPlace));
    else renameToNew(fromPlace, toPlace);
  });
}

/** Gives an entry to the owner of a folder: a server that runs as another user must be able to change it. */
function giveToOwnerOf(cursor: TreeCursor, folder: string, path: string): void {
  const stats = statAt(`${cursor.enter(folder)}/.`);
  const place = bytesOf(cursor.enter(path));
  giveTo(stats && ownerOf({ uid: Number(stats.uid), gid: Number(stats.gid) }), (uid, gid) =>
    chownSync(place, uid, gid),
  );
}
