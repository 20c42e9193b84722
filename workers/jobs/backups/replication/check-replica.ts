import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { Phase } from '../../queue/job-progress.ts';
import type { BackupParts } from '../backup-parts.ts';
import type { StoredObject, TransferOptions } from '../stores/store.ts';
import type { KeptReplica } from './replicas.ts';
import { withStore } from './with-store.ts';

type CheckParts = Pick<BackupParts, 'replicas' | 'settings' | 'openStore' | 'now'>;

export interface ReplicaCheck {
  row: KeptReplica & { object: StoredObject };
  phase: Phase;
  signal: AbortSignal;
  /** Whether the archive on this machine is good for another copy. */
  canHeal: boolean;
}

/**
 * Looks at one copy where it lies, and puts on record how it is: one that is `missing` or `damaged` is made anew by itself where that
 * can be done. Resolves to what is wrong, as a sentence, or `undefined`. That the store cannot be asked says nothing about the copy.
 */
export async function checkReplica(
  { row, phase, signal, canHeal }: ReplicaCheck,
  parts: CheckParts,
): Promise<string | undefined> {
  const { object } = row;
  const { stores = [], bandwidth } = (await parts.settings()).backups;
  const settings = stores.find(({ name }) => name === row.store);
  if (!settings) return 'The store is not in the settings any more.';
  const how: TransferOptions = {
    signal,
    onProgress: (bytes) => phase.progress.advance(bytes),
    bytesPerSecond: bandwidth?.downloadBytesPerSecond,
  };
  try {
    const state = await withStore(settings, parts, async (store) => {
      if ((await store.stat(object.key, signal)) === null) return 'missing';
      return (await store.verify(object, how)) ? 'replicated' : 'damaged';
    });
    const error = TROUBLES[state];
    const now = parts.now();
    const nextAttemptAt = canHeal && error !== null ? now.getTime() : null;
    parts.replicas.update(row, { state, checkedAt: now.toISOString(), error, nextAttemptAt });
    return error ?? undefined;
  } catch (error) {
    if (signal.aborted || !(error instanceof GamekeeperError)) throw error;
    return error.message;
  } finally {
    phase.end();
  }
}

const TROUBLES = {
  replicated: null,
  missing: 'It is not there any more.',
  damaged: 'What lies there is not what was copied.',
};
