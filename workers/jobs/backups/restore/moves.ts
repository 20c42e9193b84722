import { mkdir, readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { bytesOf, nameOf } from '../../../../shared/node/files/file-name.ts';
import { isMissing } from '../../../../shared/node/files/is-missing.ts';
import type { SwapPlace } from './swap-place.ts';

/**
 * One rename of a swap. Its kind says how to tell, after a crash, whether it has been done:
 * - `out`: to a place that is ours alone, so done when something is there
 * - `in`: from a place that is ours alone, so done when it is not there any more
 * - `back`: what no backup holds returns to where it was, unless the backup does hold it after all
 */
export interface Move {
  kind: 'out' | 'in' | 'back';
  /** Names that are not UTF-8 are as in file-name.ts. */
  from: string;
  to: string;
}

/**
 * The renames that put the unpacked backup in the place of what is there: previous content out, new content in, and what backups leave
 * out (`leftOut`, relative paths) back to where it was, since nothing else has it.
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

/** Does those that have not been done. Stops at the first that fails. */
export async function doMoves(moves: readonly Move[]): Promise<void> {
  for (const move of moves) if (!(await isDone(move))) await moveTo(move.from, move.to);
}

/** Takes back those that have been done, last first. Stops at the first that cannot be. */
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

/** Refuses to replace anything: rename(2) alone would, if that is a file or an empty folder. */
async function moveTo(from: string, to: string): Promise<void> {
  if (!(await isMissing(to))) throw new Error(`${to} is in the way`);
  await mkdir(bytesOf(path.dirname(to)), { recursive: true });
  await rename(bytesOf(from), bytesOf(to));
}
