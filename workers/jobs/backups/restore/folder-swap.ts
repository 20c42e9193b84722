import path from 'node:path';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { syncDirectory } from '../../../../shared/node/files/atomic-file.ts';
import { isMissing } from '../../../../shared/node/files/is-missing.ts';
import { removeTree } from '../../../../shared/node/files/remove-tree.ts';
import { doMoves, planMoves, undoMoves } from './moves.ts';
import { planPathMoves } from './path-moves.ts';
import type { PreviousFolders } from './previous-folders.ts';
import type { SwapJournal, SwapJournals } from './swap-journal.ts';
import type { SwapPlace } from './swap-place.ts';

export interface FolderSwapOptions {
  journals: SwapJournals;
  previousFolders: PreviousFolders;
}

/** What is ready to be moved into place. */
export interface Filled {
  /** Relative paths to carry over from the old content, since no backup has them. */
  leftOut: readonly string[];
  /** Replaces only these files and folders, relative paths. Default: the whole folder. */
  paths?: readonly string[] | undefined;
}

export interface Replacement {
  instanceId: string;
  place: SwapPlace;
  /** Creates and fills `place.staging`. */
  fill(): Promise<Filled>;
}

/**
 * Replaces a server's folder. A journal is written first, so after a crash the folder is either the old or the new one (`recoverSwap`). A
 * journal that could not be finished before is finished first, since it knows where the content is. The old content is kept until the server
 * has started successfully (previous-folders.ts). On failure everything is put back, and the error is thrown.
 */
export async function replaceFolder(
  { instanceId, place, fill }: Replacement,
  options: FolderSwapOptions,
): Promise<void> {
  const journal: SwapJournal = {
    instanceId,
    moves: [],
    scratch: place.scratch,
    previous: place.whole ? place.previous : place.scratch,
    startedAt: Date.now(),
  };
  const unfinished = (await options.journals.all()).find((other) => other.instanceId === instanceId);
  if (unfinished) await recoverSwap(unfinished, options);
  await options.journals.write(journal);
  try {
    const { leftOut, paths } = await fill();
    journal.moves = paths ? await planPathMoves(place, paths, leftOut) : await planMoves(place, leftOut);
    await options.journals.write(journal);
  } catch (error) {
    // If that fails as well, the journal stays, and the next restore or start tries again.
    await recoverSwap({ ...journal, moves: [] }, options).catch(() => undefined);
    throw error;
  }
  await finishSwap(journal, options);
}

/** Finishes an interrupted replacement, or undoes it if the renames had not begun or one of them fails. */
export async function recoverSwap(journal: SwapJournal, options: FolderSwapOptions): Promise<void> {
  if (journal.moves.length > 0) {
    await finishSwap(journal, options);
  } else {
    await removeTree(journal.scratch);
    await options.journals.remove(journal.instanceId);
  }
}

async function finishSwap(journal: SwapJournal, { journals, previousFolders }: FolderSwapOptions): Promise<void> {
  const { instanceId, previous: path, startedAt: replacedAt } = journal;
  try {
    // First, since the database may be full. If the moves fail, there is no such folder, and it is forgotten with the next one.
    previousFolders.add({ path, instanceId, replacedAt });
    await doMoves(journal.moves);
    await syncMoves(journal);
  } catch (error) {
    await undo(journal, error);
    await journals.remove(instanceId);
    throw error;
  }
  // If only some paths were replaced, what is left of it are the folders above them.
  if (journal.scratch !== journal.previous) await removeTree(journal.scratch);
  await journals.remove(instanceId);
}

async function undo(journal: SwapJournal, cause: unknown): Promise<void> {
  try {
    await undoMoves(journal.moves);
    await syncMoves(journal);
    await removeTree(journal.scratch);
  } catch (error) {
    // The journal stays, and the next start tries again.
    throw new GamekeeperError(
      'internal_error',
      `The folder of "${journal.instanceId}" could neither be replaced nor put back. Nothing was deleted.`,
      {
        resolution:
          'Make sure that Gamekeeper may write to the folder and to the one above it, then restart Gamekeeper.',
        cause: new AggregateError([cause, error]),
      },
    );
  }
}

async function syncMoves({ moves }: SwapJournal): Promise<void> {
  const renames = moves.filter(({ kind }) => kind !== 'back');
  const folders = new Set(renames.flatMap(({ from, to }) => [path.dirname(from), path.dirname(to)]));
  // A folder that is missing was to be made by a move that was not begun.
  for (const folder of folders) if (!(await isMissing(folder))) await syncDirectory(folder);
}
