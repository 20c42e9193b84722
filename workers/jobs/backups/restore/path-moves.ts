import { lstatSync } from 'node:fs';
import path from 'node:path';
import { hasErrorCode } from '../../../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { isMissing } from '../../../../shared/node/files/is-missing.ts';
import { TreeCursor } from '../../../../shared/node/files/tree-cursor.ts';
import { type Move, movesBack } from './moves.ts';
import type { SwapPlace } from './swap-place.ts';

/**
 * Returns the renames that replace only these files and folders, which are unpacked in the staging folder. A folder above one of them that is
 * missing today comes with it. What backups leave out of a replaced folder returns to its place. Throws `invalid_state` if a file or a link is
 * where such a folder should be, or if backups leave out what would be replaced.
 */
export async function planPathMoves(
  place: SwapPlace,
  paths: readonly string[],
  leftOut: readonly string[],
): Promise<Move[]> {
  const { folder, staging, previous } = place;
  if (await isMissing(folder)) return [{ kind: 'in', from: staging, to: folder }];
  const moves: Move[] = [];
  const replaced: string[] = [];
  for (const name of new Set(paths.map((one) => topmostMissing(folder, one)))) {
    const to = path.join(folder, name);
    if (isPresent(folder, name)) {
      replaced.push(name);
      moves.push({ kind: 'out', from: to, to: path.join(previous, name) });
    }
    moves.push({ kind: 'in', from: path.join(staging, name), to });
  }
  const lost = leftOut.find((name) => replaced.some((one) => one === name || one.startsWith(`${name}/`)));
  if (lost !== undefined) throw inNoBackup(lost);
  const kept = leftOut.filter((name) => replaced.some((above) => name.startsWith(`${above}/`)));
  return [...moves, ...movesBack(place, kept)];
}

export function inNoBackup(name: string): GamekeeperError {
  return new GamekeeperError('invalid_state', `Backups leave out "${name}", so it would be lost.`, {
    resolution: 'Remove it from the exclusions of the backups, or move it to another place first.',
  });
}

/** Returns the path itself, or the first folder above it that is missing. */
function topmostMissing(folder: string, wanted: string): string {
  const names = wanted.split('/');
  for (let depth = 1; depth < names.length; depth++) {
    const above = names.slice(0, depth).join('/');
    if (!isFolder(folder, above, wanted)) return above;
  }
  return wanted;
}

function isFolder(folder: string, name: string, wanted: string): boolean {
  using cursor = new TreeCursor(folder);
  try {
    cursor.enter(name);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false;
    if (!hasErrorCode(error, 'ENOTDIR', 'ELOOP')) throw error;
    throw new GamekeeperError(
      'invalid_state',
      `"${wanted}" cannot be restored: today "${name}" is not a folder, but a file or a link.`,
      { resolution: `Move "${name}" away, or restore it, too.` },
    );
  }
}

function isPresent(folder: string, name: string): boolean {
  using cursor = new TreeCursor(folder);
  return lstatSync(cursor.placeOf(name), { throwIfNoEntry: false }) !== undefined;
}
