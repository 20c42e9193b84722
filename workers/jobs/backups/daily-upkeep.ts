import type { JobQueue } from '../queue/queue.ts';
import type { BackupParts } from './backup-parts.ts';
import { catalogueArchives, type DamagedArchives } from './catalogue/unlisted-archives.ts';
import type { Replication } from './replication/replication.ts';
import { applyRetention } from './retention/apply-retention.ts';

const DAY_MS = 86_400_000;

/**
 * Looks at all backups now and once a day: archives that nobody knows of are taken in, backups that are not kept any more removed. Begins
 * at once and returns; ends with the signal.
 */
export function keepInOrder({
  replication,
  signal,
  ...parts
}: BackupParts & { queue: JobQueue; replication: Replication; signal: AbortSignal }): void {
  const damaged: DamagedArchives = new Map();

  async function look(): Promise<void> {
    await catalogueArchives((await parts.settings()).backups.directory, { ...parts, damaged });
    for (const instanceId of new Set(parts.catalogue.all().map((entry) => entry.instanceId)))
      await applyRetention(instanceId, parts);
    replication.wake();
  }

  const begin = () =>
    void look().catch((error: unknown) => {
      if (!signal.aborted) parts.log.error({ err: error }, 'the backups could not be looked through');
    });
  const daily = setInterval(begin, DAY_MS);
  signal.addEventListener('abort', () => clearInterval(daily), { once: true });
  begin();
}
