import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { Phase } from '../../queue/job-progress.ts';
import { type BackupStorage, withStore } from '../backup-storage.ts';
import type { StoredObject, TransferOptions } from '../stores/store.ts';
import type { KeptReplica } from './replicas.ts';
import { UNCONFIGURED } from './replication-plan.ts';

export interface ReplicaCheck {
  row: KeptReplica & { object: StoredObject };
  phase: Phase;
  signal: AbortSignal;
  /** True if the archive on this machine can be copied again. */
  canHeal: boolean;
}

/**
 * Checks a copy in its store and records its state. A `missing` or `damaged` copy is queued to be made again if `canHeal`. Returns what is
 * wrong, as a sentence, or `undefined`. A store that cannot be reached leaves the recorded state as it is.
 */
export async function checkReplica(
  { row, phase, signal, canHeal }: ReplicaCheck,
  storage: BackupStorage,
): Promise<string | undefined> {
  const { object } = row;
  const { stores = [], bandwidth } = await storage.settings();
  const settings = stores.find(({ name }) => name === row.store);
  if (!settings) return UNCONFIGURED;
  const transfer: TransferOptions = {
    signal,
    onProgress: (bytes) => phase.progress.advance(bytes),
    bytesPerSecond: bandwidth?.downloadBytesPerSecond,
  };
  try {
    const state = await withStore(storage, settings, async (store) => {
      if ((await store.stat(object.key, signal)) === null) return 'missing';
      return (await store.verify(object, transfer)) ? 'replicated' : 'damaged';
    });
    const error = TROUBLES[state];
    const now = new Date();
    const nextAttemptAt = canHeal && error !== null ? now.getTime() : null;
    storage.replicas.update(row, { state, checkedAt: now.toISOString(), error, nextAttemptAt });
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
  missing: 'It is gone from the store.',
  damaged: 'It is damaged.',
};
