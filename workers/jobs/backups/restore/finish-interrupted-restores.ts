import { isGamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../../../shared/node/logger.ts';
import { type FolderLease, lockFolder } from '../../resources/folder-lease.ts';
import type { Peers } from '../../resources/peers.ts';
import { type FolderSwapOptions, recoverSwap } from './folder-swap.ts';
import type { SwapJournal } from './swap-journal.ts';

export interface FinishRestoresOptions {
  swap: FolderSwapOptions;
  peers: Peers;
  log: Logger;
}

/** Finishes or undoes interrupted restores, before anything else touches those folders. What fails is tried at the next start. */
export async function finishInterruptedRestores({ swap, peers, log }: FinishRestoresOptions): Promise<void> {
  for (const journal of await swap.journals.all()) {
    const child = log.child({ instance: journal.instanceId });
    try {
      await recoverLocked(journal, { swap, peers, log });
      child.warn('finished or undid an interrupted restore');
    } catch (error) {
      child.error({ err: error }, 'could not finish an interrupted restore');
    }
  }
}

async function recoverLocked(journal: SwapJournal, { swap, peers, log }: FinishRestoresOptions): Promise<void> {
  const lease = await lockUnlessGone(journal.instanceId, { peers, log });
  try {
    await recoverSwap(journal, swap);
  } finally {
    await lease?.release();
  }
}

/** A deleted instance has no supervisor to lock its folder, and nobody can start it. */
async function lockUnlessGone(
  instanceId: string,
  options: { peers: Peers; log: Logger },
): Promise<FolderLease | undefined> {
  try {
    return await lockFolder({ instanceId, activity: 'restoring', signal: new AbortController().signal }, options);
  } catch (error) {
    if (isGamekeeperError(error, 'instance_not_found')) return undefined;
    throw error;
  }
}
