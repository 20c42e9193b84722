import { type BigIntStats, chmodSync, chownSync, lutimesSync, readlinkSync, symlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { splitFilePath } from '../../../shared/domain/files/file-path.ts';
import { bytesOf, nameOf } from '../../../shared/node/files/file-name.ts';
import { giveTo, ownerOf } from '../../../shared/node/files/owner.ts';
import { renameToNew } from '../../../shared/node/files/rename-to-new.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { underConstruction } from '../../../shared/node/files/under-construction.ts';
import { newStagedPath } from '../staging/under-construction.ts';
import { copyFile } from './copy-file.ts';
import { kindOf, statAt } from './entry.ts';
import { explained, fileExists, fileNotFound, invalidPath, requirePath } from './file-error.ts';

/**
 * Copies a file, a link, or a folder with all that is in it, with modes, owners where allowed, and times. Links are copied as they are and not
 * followed; sockets, pipes and devices are left out. The copy appears when it is whole; of one that fails or is aborted nothing is left. Throws
 * `file_exists` and `insufficient_storage`.
 */
export async function copyEntry(
  root: string,
  { from, to }: { from: string; to: string },
  signal: AbortSignal,
): Promise<void> {
  requirePath(from, { isBelow: true });
  requirePath(to, { isBelow: true });
  if (to === from || to.startsWith(`${from}/`)) throw invalidPath(to, 'is inside what is copied');
  await explained(to, async () => {
    using target = new TreeCursor(root);
    if (statAt(target.placeOf(to))) throw fileExists(to);
    await using copy = underConstruction(root, { own: newStagedPath(), folder: splitFilePath(to).folder });
    await copyTree(root, { from, to: copy.path }, signal);
    using made = new TreeCursor(root);
    renameToNew(made.placeOf(copy.path), target.placeOf(to));
  });
}

/** Iterative: folders may be nested deeper than the stack. */
async function copyTree(root: string, { from, to }: { from: string; to: string }, signal: AbortSignal): Promise<void> {
  using source = explained(from, () => new TreeCursor(root));
  using target = new TreeCursor(root);
  const folders: { path: string; stats: BigIntStats }[] = [];
  const open = [from];
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    signal.throwIfAborted();
    const stats = statAt(explained(here, () => source.placeOf(here as string)));
    if (!stats && here === from) throw fileNotFound(from);
    const path = `${to}${here.slice(from.length)}`;
    const kind = stats ? kindOf(stats) : 'other';
    if (stats && kind === 'folder') {
      target.enter(path, () => undefined);
      folders.push({ path, stats });
      const names = await readdir(source.enter(here), { encoding: 'buffer' });
      open.push(...names.map((name) => `${here}/${nameOf(name)}`));
    } else if (kind === 'link') {
      symlinkSync(readlinkSync(bytesOf(source.placeOf(here)), 'buffer'), bytesOf(target.placeOf(path)));
    } else if (kind === 'file') {
      await copyFile({ from: source.placeOf(here), to: target.placeOf(path), shown: here }, signal);
    }
  }
  // From the innermost: a folder may be read-only.
  for (const { path, stats } of folders.reverse()) keepFacts(stats, `${target.enter(path)}/.`);
}

function keepFacts({ uid, gid, mode, atimeMs, mtimeMs }: BigIntStats, place: string): void {
  giveTo(ownerOf({ uid: Number(uid), gid: Number(gid) }), (...owner) => chownSync(place, ...owner));
  chmodSync(place, Number(mode) & 0o7777);
  lutimesSync(place, Number(atimeMs) / 1000, Number(mtimeMs) / 1000);
}
