import { constants, copyFileSync, lstatSync, readdirSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { isOwnName } from '../../../shared/domain/files/file-path.ts';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { bytesOf, nameOf, shownName } from '../../../shared/node/files/file-name.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';

export interface Merge {
  /** Folders relative to the server's folder; '' is that folder. `to` and what is above it exist. */
  from: string;
  to: string;
  /** Globs of files, relative to the server's folder, that are kept if they exist. */
  keep: readonly string[];
}

/**
 * Moves what is in a folder into another one of a server, whose other files stay. Replaces files and links, and never follows a link
 * (CVE-2023-25152). Throws `installation_failed` if a link or a file is where a folder has to be, or the other way round.
 */
export function mergeTree(root: string, merge: Merge): void {
  using source = new TreeCursor(root);
  using target = new TreeCursor(root);
  mergeFolder(merge, { source, target });
}

/** Like `mergeTree` for a single file, link or folder. Throws `installation_failed` if it is missing. */
export function mergeEntry(root: string, { from, to, keep }: Merge): void {
  using source = new TreeCursor(root);
  using target = new TreeCursor(root);
  if (!statAt(source.placeOf(from))) throw failed(`There is no "${from}" to move`);
  placeEntry({ from, to, keep }, { source, target });
}

interface Cursors {
  source: TreeCursor;
  target: TreeCursor;
}

function mergeFolder({ from, to, keep }: Merge, cursors: Cursors): void {
  for (const bytes of readdirSync(bytesOf(cursors.source.enter(from)), { encoding: 'buffer' })) {
    const name = nameOf(bytes);
    if (to === '' && isOwnName(name)) throw failed(`The archive contains "${shownName(name)}", a folder of Gamekeeper`);
    placeEntry({ from: pathIn(from, name), to: pathIn(to, name), keep }, cursors);
  }
}

function placeEntry({ from, to, keep }: Merge, cursors: Cursors): void {
  const source = cursors.source.placeOf(from);
  const target = cursors.target.placeOf(to);
  const isFolder = statAt(source)!.isDirectory();
  const present = statAt(target);
  if (isFolder && present?.isDirectory()) {
    mergeFolder({ from, to, keep }, cursors);
    return;
  }
  if (present && isFolder)
    throw failed(
      `"${shownName(to)}" is a ${present.isSymbolicLink() ? 'link' : 'file'}, but the game has a folder there`,
    );
  if (present?.isDirectory()) throw failed(`"${shownName(to)}" is a folder, but the game has a file there`);
  if (present && keep.some((glob) => path.matchesGlob(to, glob))) return;
  moveTo(source, target);
}

/** Folders of a server can be on different disks. */
function moveTo(source: string, target: string): void {
  try {
    renameSync(bytesOf(source), bytesOf(target));
  } catch (error) {
    if (!hasErrorCode(error, 'EXDEV') || !statAt(source)?.isFile()) throw error;
    const partial = `${target}.partial`;
    rmSync(bytesOf(partial), { force: true });
    copyFileSync(bytesOf(source), bytesOf(partial), constants.COPYFILE_EXCL);
    renameSync(bytesOf(partial), bytesOf(target));
    unlinkSync(bytesOf(source));
  }
}

function statAt(place: string) {
  return lstatSync(bytesOf(place), { throwIfNoEntry: false });
}

function pathIn(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function failed(why: string): GamekeeperError {
  return new GamekeeperError('installation_failed', `${why}.`, {
    resolution: 'Move what is there away, or correct the kind, and start the server again.',
  });
}
