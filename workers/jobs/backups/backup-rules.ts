import type { Logger } from '../../../shared/node/logger.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { Peers } from '../resources/peers.ts';
import type { BackupStorage } from './backup-storage.ts';
import type { Replication } from './replication/replication.ts';
import { applyRetention } from './retention/apply-retention.ts';

/** Follows each new backup of an instance: removes those that the rules do not keep, and copies it. Never rejects, so the backup does not fail. */
export type BackupRules = (instanceId: string) => Promise<void>;

export function createBackupRules({
  replication,
  ...options
}: {
  replication: Pick<Replication, 'wake'>;
  storage: BackupStorage;
  queue: JobQueue;
  peers: Peers;
  log: Logger;
}): BackupRules {
  return async (instanceId) => {
    await applyRetention(instanceId, options).catch((error: unknown) =>
      options.log.error({ err: error, instance: instanceId }, 'could not apply the retention rules'),
    );
    replication.wake();
  };
}
