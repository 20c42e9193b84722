import type { Logger } from '../../../shared/node/logger.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { Peers } from '../resources/peers.ts';
import type { Pool } from '../resources/pool.ts';
import type { BackupStorage } from './backup-storage.ts';
import { addUnlistedArchives, type DamagedArchives } from './catalogue/unlisted-archives.ts';
import type { Replication } from './replication/replication.ts';
import { applyRetention } from './retention/apply-retention.ts';

const DAY_MS = 86_400_000;

export interface DailyUpkeepOptions {
  storage: BackupStorage;
  replication: Replication;
  queue: JobQueue;
  pool: Pool;
  peers: Peers;
  log: Logger;
}

/** Adds unlisted archives and applies retention, now and once a day until `signal` fires. Returns at once. */
export function startDailyUpkeep(options: DailyUpkeepOptions, signal: AbortSignal): void {
  const { storage, replication, log } = options;
  const damaged: DamagedArchives = new Map();

  async function upkeep(): Promise<void> {
    await addUnlistedArchives({ ...options, damaged });
    const instanceIds = new Set(storage.catalogue.all().map((entry) => entry.instanceId));
    for (const instanceId of instanceIds) await applyRetention(instanceId, options);
    replication.wake();
  }

  const begin = () =>
    void upkeep().catch((error: unknown) => {
      if (!signal.aborted) log.error({ err: error }, 'the daily upkeep of backups failed');
    });
  const daily = setInterval(begin, DAY_MS);
  signal.addEventListener('abort', () => clearInterval(daily), { once: true });
  begin();
}
