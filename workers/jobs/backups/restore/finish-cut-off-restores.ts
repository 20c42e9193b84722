import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../../../shared/node/logger.ts';
import { lockFolder } from '../../resources/folder-lease.ts';
import type { Peers } from '../../resources/peers.ts';
import { recoverSwap, type SwapParts } from './folder-swap.ts';
import type { SwapJournal } from './swap-journal.ts';

export interface CutOffParts extends SwapParts {
  peers: Peers;
  log: Logger;
}

/**
 * Finishes the restores that a crash has cut off, or takes them back, before anything else is done to those folders. One that cannot be
 * dealt with now keeps its journal for the next start; nothing is lost.
 */
export async function finishCutOffRestores(parts: CutOffParts): Promise<void> {
  for (const journal of await parts.journals.all()) {
    const log = parts.log.child({ instance: journal.instanceId });
    try {
      await recoverHeld(journal, parts);
      log.warn('a restore that had been cut off was dealt with');
    } catch (error) {
      log.error({ err: error }, 'a restore that had been cut off could not be dealt with');
    }
  }
}

async function recoverHeld(journal: SwapJournal, parts: CutOffParts): Promise<void> {
  const held = await holdUnlessGone(journal.instanceId, parts);
  try {
    await recoverSwap(journal, parts);
  } finally {
    await held?.release();
  }
}

/** An instance that has been deleted meanwhile has nobody who could hold its folder, or start it. */
async function holdUnlessGone(instanceId: string, parts: CutOffParts) {
  try {
    return await lockFolder({ instanceId, activity: 'restoring', signal: new AbortController().signal }, parts);
  } catch (error) {
    if (error instanceof GamekeeperError && error.code === 'instance_not_found') return undefined;
    throw error;
  }
}
