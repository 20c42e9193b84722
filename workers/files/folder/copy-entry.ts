import { type BigIntStats, chmodSync, chownSync, constants, readlinkSync, symlinkSync } from 'node:fs';
import { copyFile, readdir, utimes } from 'node:fs/promises';
import { requireSpace } from '../../../shared/node/files/disk-space.ts';
import { bytesOf, nameOf } from '../../../shared/node/files/file-name.ts';
import { giveTo, ownerOf } from '../../../shared/node/files/owner.ts';
import { removeTree } from '../../../shared/node/files/remove-tree.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { kindOf, statAt } from './entry.ts';
import { explained, fileExists, fileNotFound, invalidPath, requirePath } from './file-error.ts';
import { openFile } from './open-file.ts';

/**
 * Copies a file, a link, or a folder with all that is in it, with modes, owners where allowed, and times. Links are copied as they are and not
 * followed; sockets, pipes and devices are left out. Throws `file_exists` and `insufficient_storage`. What was copied by a copy that fails or is
 * aborted is removed.
 */
export async function copyEntry(
  root: string,
  { from, to }: { from: string; to: string },
  signal: AbortSignal,
): Promise<void> {
  requirePath(from, { isBelow: true });
  requirePath(to, { isBelow: true });
  if (to === from || to.startsWith(`${from}/`)) throw invalidPath(to, 'is inside what is copied');
  using target = explained(to, () => new TreeCursor(root));
  if (explained(to, () => statAt(target.placeOf(to)))) throw fileExists(to);
  let hasBegun = false;
  try {
    await explained(to, async () => {
      for await (const { path, kind } of below(root, from, signal)) {
        await copyOne(root, { from: path, to: `${to}${path.slice(from.length)}`, kind });
        hasBegun = true;
      }
    });
  } catch (error) {
    if (hasBegun) await removeTree(target.placeOf(to));
    throw error;
  }
}

interface Found {
  path: string;
  kind: 'file' | 'folder' | 'link';
}

/** Yields an entry and all that is in it, each folder before its content. Iterative: folders may be nested deeper than the stack. */
async function* below(root: string, path: string, signal: AbortSignal): AsyncGenerator<Found> {
  using cursor = explained(path, () => new TreeCursor(root));
  const open = [path];
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    signal.throwIfAborted();
    const stats = explained(here, () => statAt(cursor.placeOf(here as string)));
    if (!stats && here === path) throw fileNotFound(path);
    const kind = stats ? kindOf(stats) : 'other';
    if (kind === 'other') continue;
    yield { path: here, kind };
    if (kind !== 'folder') continue;
    const names = await readdir(cursor.enter(here), { encoding: 'buffer' });
    open.push(...names.map((name) => `${here}/${nameOf(name)}`));
  }
}

/** Each folder is entered anew: what the game swaps for a link meanwhile is not followed. */
async function copyOne(
  root: string,
  { from, to, kind }: { from: string; to: string; kind: Found['kind'] },
): Promise<void> {
  using source = new TreeCursor(root);
  using target = new TreeCursor(root);
  if (kind === 'folder') {
    target.enter(to, () => undefined);
    return keepMode(statAt(`${source.enter(from)}/.`), target.enter(to));
  }
  const place = bytesOf(target.placeOf(to));
  if (kind === 'link') return symlinkSync(readlinkSync(bytesOf(source.placeOf(from)), 'buffer'), place);
  using file = openFile(root, from);
  const { atimeMs, mtimeMs, size } = file.stats;
  await requireSpace(root, Number(size), 'The copy');
  const opened = process.platform === 'linux' ? `/proc/self/fd/${file.descriptor}` : bytesOf(source.placeOf(from));
  await copyFile(opened, place, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  keepMode(file.stats, place);
  await utimes(place, Number(atimeMs) / 1000, Number(mtimeMs) / 1000);
}

/** `place` leads to what was just created. */
function keepMode(source: BigIntStats | undefined, place: string | Buffer): void {
  if (!source) return;
  const { uid, gid, mode } = source;
  giveTo(ownerOf({ uid: Number(uid), gid: Number(gid) }), (...owner) => chownSync(place, ...owner));
  chmodSync(place, Number(mode) & 0o7777);
}
