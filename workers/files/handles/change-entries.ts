import { renameSync, rmdirSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { DiskSpace } from '../../../shared/contract/file-handles.ts';
import { bytesOf } from '../../../shared/node/files/file-name.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { statAt } from '../folder/entry.ts';
import { explained, fileNotFound, invalidPath, requirePath } from '../folder/file-error.ts';

/** Renames as the system does: a file replaces a file, or a link itself; a folder replaces an empty one. */
export function replaceEntry(root: string, from: string, to: string): void {
  requirePath(from, { isBelow: true });
  requirePath(to, { isBelow: true });
  if (to.startsWith(`${from}/`)) throw invalidPath(to, 'is inside the folder that is moved');
  using source = explained(from, () => new TreeCursor(root));
  using target = explained(to, () => new TreeCursor(root));
  const fromPlace = explained(from, () => source.placeOf(from));
  if (!statAt(fromPlace)) throw fileNotFound(from);
  explained(to, () => renameSync(bytesOf(fromPlace), bytesOf(target.placeOf(to))));
}

/** Removes an empty folder. Throws `file_exists` if there is something in it. */
export function removeEmptyFolder(root: string, path: string): void {
  requirePath(path, { isBelow: true });
  explained(path, () => {
    using cursor = new TreeCursor(root);
    rmdirSync(bytesOf(cursor.placeOf(path)));
  });
}

/** Throws `file_not_found`, and `invalid_path` for a folder. */
export function requireNoFolder(root: string, path: string): void {
  requirePath(path, { isBelow: true });
  explained(path, () => {
    using cursor = new TreeCursor(root);
    const stats = statAt(cursor.placeOf(path));
    if (!stats) throw fileNotFound(path);
    if (stats.isDirectory()) throw invalidPath(path, 'is a folder, not a file');
  });
}

export async function diskSpaceOf(root: string): Promise<DiskSpace> {
  const { bsize, blocks, bfree, bavail, files, ffree } = await statfs(root);
  return { blockBytes: bsize, blocks, freeBlocks: bfree, availableBlocks: bavail, files, freeFiles: ffree };
}
