import { mkdir, readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { bytesOf, nameOf } from '../../../../shared/node/files/file-name.ts';
import { isMissing } from '../../../../shared/node/files/is-missing.ts';
import type { SwapPlace } from './swap-place.ts';

/**
 * One rename of a swap. After a crash, its kind shows whether it was done:
 * - `out`: the target is Gamekeeper's own folder, so it is done if the target exists
 * - `in`: the source is Gamekeeper's own folder, so it is done if the source is gone
 * - `back`: files that no backup contains return to their place, unless this backup contains them after all
 */
export interface Move {
  kind: 'out' | 'in' | 'back';
  /** Names that are not UTF-8 are encoded as in shared/node/files/file-name.ts. */
  from: string;
  to: string;
}

/**
 * Returns the renames that replace the folder's content with the unpacked backup: the previous content out, the new content in, and what
 * backups leave out (`leftOut`, relative paths) back to its place, since no backup has it.
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
  for (const name of leftOut)
    moves.push({ kind: 'back', from: path.join(previous, name), to: path.join(folder, name) });
  return moves;
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder, { encoding: 'buffer' })).map(nameOf);
}

/** Does the moves that are not done yet. Stops at the first failure. */
export async function doMoves(moves: readonly Move[]): Promise<void> {
  for (const move of moves) if (!(await isDone(move))) await moveTo(move.from, move.to);
}

/** Undoes the moves that are done, last first. Stops at the first failure. */
export async function undoMoves(moves: readonly Move[]): Promise<void> {
  for (const move of moves.toReversed()) if (await canBeUndone(move)) await moveTo(move.to, move.from);
}

async function canBeUndone({ kind, from, to }: Move): Promise<boolean> {
  return !(await isMissing(to)) && (kind === 'out' || (await isMissing(from)));
}

async function isDone({ kind, from, to }: Move): Promise<boolean> {
  if (kind === 'in') return (await isMissing(from)) && !(await isMissing(to));
  if (kind === 'out') return !(await isMissing(to));
  return !(await isMissing(to)) || (await isMissing(from));
}

/** Refuses to replace anything. rename(2) alone would replace a file or an empty folder. */
async function moveTo(from: string, to: string): Promise<void> {
  if (!(await isMissing(to))) throw new Error(`${to} is in the way`);
  await mkdir(bytesOf(path.dirname(to)), { recursive: true });
  await rename(bytesOf(from), bytesOf(to));
}
