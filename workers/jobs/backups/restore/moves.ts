import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { nameOf, shownName } from '../../../../shared/node/files/file-name.ts';
import { isMissing } from '../../../../shared/node/files/is-missing.ts';
import { RESTORE_FOLDER_PREFIX } from '../../../pool/task-types.ts';
import { MoveWay } from './move-way.ts';
import type { SwapPlace } from './swap-place.ts';

/**
 * One rename of a swap. After a crash, its kind shows whether it was done:
 * - `out`: the target is Gamekeeper's own folder, so it is done if the target exists
 * - `in`: the source is Gamekeeper's own folder, so it is done if the source is gone
 * - `aside`: the backup has what is excluded today. It makes room for the present content; the target is Gamekeeper's own, so it is done if the
 *   target exists
 * - `back`: files that the safety backup does not contain return to their place
 */
export interface Move {
  kind: 'out' | 'in' | 'aside' | 'back';
  /** Names that are not UTF-8 are encoded as in shared/node/files/file-name.ts. */
  from: string;
  to: string;
}

/**
 * Returns the renames that replace the folder's content with the unpacked backup: the previous content out, the new content in, and what
 * backups leave out (`leftOut`, relative paths) back to its place, since the safety backup does not have it.
 */
export async function planMoves(place: SwapPlace, leftOut: readonly string[]): Promise<Move[]> {
  const { folder, staging, previous } = place;
  const moves: Move[] = [];
  if (place.whole) {
    if (!(await isMissing(folder))) moves.push({ kind: 'out', from: folder, to: previous });
    moves.push({ kind: 'in', from: staging, to: folder });
  } else {
    const own = path.basename(place.scratch);
    for (const name of await namesIn(folder))
      if (name !== own) moves.push({ kind: 'out', from: path.join(folder, name), to: path.join(previous, name) });
    for (const name of await namesIn(staging))
      moves.push({ kind: 'in', from: path.join(staging, name), to: path.join(folder, name) });
  }
  return [...moves, ...movesBack(place, leftOut)];
}

/** Returns the renames that keep what no backup has. */
export function movesBack(place: SwapPlace, leftOut: readonly string[]): Move[] {
  const { folder, previous } = place;
  return leftOut.flatMap((name, index) => {
    const to = path.join(folder, name);
    const aside = path.join(previous, `${RESTORE_FOLDER_PREFIX}aside-${index}`);
    return [
      ...(isRestored(name, place) ? [{ kind: 'aside', from: to, to: aside } as const] : []),
      { kind: 'back', from: path.join(previous, name), to } as const,
    ];
  });
}

function isRestored(name: string, { staging, folder }: SwapPlace): boolean {
  using way = new MoveWay({ from: path.join(staging, name), to: path.join(folder, name) });
  return way.presence('from') === 'present';
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder, { encoding: 'buffer' })).map(nameOf);
}

/** Does the moves that are not done yet. Stops at the first failure. Throws `invalid_state` if a link is in the way back. */
export async function doMoves(moves: readonly Move[]): Promise<void> {
  for (const move of moves) {
    using way = new MoveWay(move);
    if (!isDone(move, way)) way.rename('from', 'to');
  }
}

/** Undoes the moves that are done, last first. Stops at the first failure. */
export async function undoMoves(moves: readonly Move[]): Promise<void> {
  for (const move of moves.toReversed()) {
    using way = new MoveWay(move);
    if (canBeUndone(move, way)) way.rename('to', 'from');
  }
}

function canBeUndone({ kind }: Move, way: MoveWay): boolean {
  return way.presence('to') === 'present' && (kind === 'out' || way.presence('from') === 'missing');
}

function isDone({ kind, to }: Move, way: MoveWay): boolean {
  if (kind === 'in') return way.presence('from') === 'missing' && way.presence('to') === 'present';
  if (kind === 'out' || kind === 'aside') return way.presence('to') === 'present';
  if (way.presence('from') !== 'present') return true;
  if (way.presence('to') === 'blocked') throw blocked(to);
  return way.presence('to') === 'present';
}

function blocked(to: string): GamekeeperError {
  const name = shownName(path.basename(to));
  return new GamekeeperError(
    'invalid_state',
    `"${name}" is in no backup and cannot be kept: the backup has a link or a file in place of a folder above it.`,
    { resolution: `Move "${name}" out of the server's folder, then restore again.` },
  );
}
