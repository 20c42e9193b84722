import type { Logger } from '../../../shared/node/logger.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { Peers } from '../resources/peers.ts';
import type { BackupStorage } from './backup-storage.ts';
import type { Replication } from './replication/replication.ts';
import { applyRetention } from './retention/apply-retention.ts';

/** To be called after each new backup of an instance. Removes the backups that the rules do not keep, and starts copies. Never rejects. */
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
