import path from 'node:path';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { syncDirectory } from '../../../../shared/node/files/atomic-file.ts';
import { removeTree } from '../../../../shared/node/files/remove-tree.ts';
import { doMoves, planMoves, undoMoves } from './moves.ts';
import type { PreviousFolders } from './previous-folders.ts';
import type { SwapJournal, SwapJournals } from './swap-journal.ts';
import type { SwapPlace } from './swap-place.ts';

export interface SwapParts {
  journals: SwapJournals;
  previousFolders: PreviousFolders;
  now(): Date;
}

export interface Replacement {
  instanceId: string;
  place: SwapPlace;
  /** Makes and fills `place.staging`. Resolves to the relative paths that stay, since the new content cannot have them. */
  fill(): Promise<readonly string[]>;
}

/**
 * Replaces a server's folder, journalled from the first byte, so that after any crash it is the old one or the new one (`recoverSwap`).
 * The old one is kept until the server has started well (previous-folders.ts). If anything fails, all is put back as it was, and the
 * error is thrown.
 */
export async function replaceFolder({ instanceId, place, fill }: Replacement, parts: SwapParts): Promise<void> {
  const journal: SwapJournal = {
    instanceId,
    moves: [],
    scratch: place.scratch,
    previous: place.whole ? place.previous : place.scratch,
    startedAt: parts.now().getTime(),
  };
  await parts.journals.write(journal);
  try {
    journal.moves = await planMoves(place, await fill());
    await parts.journals.write(journal);
  } catch (error) {
    await recoverSwap({ ...journal, moves: [] }, parts);
    throw error;
  }
  await finishSwap(journal, parts);
}

/** Finishes a replacement that was cut off, or takes it back where it had not come to the renames or one of them cannot be done. */
export async function recoverSwap(journal: SwapJournal, parts: SwapParts): Promise<void> {
  if (journal.moves.length > 0) {
    await finishSwap(journal, parts);
  } else {
    await removeTree(journal.scratch);
    await parts.journals.remove(journal.instanceId);
  }
}

async function finishSwap(journal: SwapJournal, { journals, previousFolders }: SwapParts): Promise<void> {
  try {
    await doMoves(journal.moves);
    await syncMoves(journal);
  } catch (error) {
    await takeBack(journal, error);
    await journals.remove(journal.instanceId);
    throw error;
  }
  previousFolders.add({ path: journal.previous, instanceId: journal.instanceId, replacedAt: journal.startedAt });
  await journals.remove(journal.instanceId);
}

async function takeBack(journal: SwapJournal, cause: unknown): Promise<void> {
  try {
    await undoMoves(journal.moves);
    await syncMoves(journal);
    await removeTree(journal.scratch);
  } catch (error) {
    // The journal stays: nothing is lost, and the next start tries again.
    throw new GamekeeperError(
      'internal_error',
      `The folder of "${journal.instanceId}" could neither be replaced nor put back. Nothing was deleted.`,
      {
        resolution: 'Make sure that Gamekeeper may write to the folder and the one above it, then restart Gamekeeper.',
        cause: new AggregateError([cause, error]),
      },
    );
  }
}

async function syncMoves({ moves }: SwapJournal): Promise<void> {
  const renames = moves.filter(({ kind }) => kind !== 'back');
  const folders = new Set(renames.flatMap(({ from, to }) => [path.dirname(from), path.dirname(to)]));
  for (const folder of folders) await syncDirectory(folder);
}
