import type { RetentionSettings } from '../../../../shared/schema/backup-settings.ts';
import type { JobQueue } from '../../queue/queue.ts';
import type { BackupParts } from '../backup-parts.ts';
import { localState } from '../catalogue/backup-view.ts';
import type { CatalogueEntry } from '../catalogue/catalogue.ts';
import { removeAsJob } from '../remove-backup.ts';
import { type RetainedBackup, superfluous } from './retention.ts';

export interface RetentionParts
  extends Pick<BackupParts, 'catalogue' | 'replicas' | 'files' | 'encrypted' | 'peers' | 'settings' | 'now' | 'log'> {
  queue: JobQueue;
}

/**
 * Deletes the backups of an instance that the settings do not keep any more: archive and copies alike. Each is logged, and on record in
 * the audit. Instances that are deleted keep theirs.
 */
export async function applyRetention(instanceId: string, parts: RetentionParts): Promise<void> {
  const { retention, stores = [] } = (await parts.settings()).backups;
  if (!retention || !(await exists(instanceId, parts))) return;
  const backups = await Promise.all(parts.catalogue.list(instanceId).map((entry) => retained(entry, stores, parts)));
  for (const { entry } of superfluous(backups, retention, parts.now().getTime())) {
    // Somebody may have begun to use it, or pinned or deleted it, while another was removed.
    const current = parts.catalogue.list(instanceId).find(({ backupId }) => backupId === entry.backupId);
    if (!current || current.pinned || isBusy(current, parts)) continue;
    await removeAsJob(entry, parts);
    await record(entry, retention, parts);
  }
}

async function exists(instanceId: string, { peers }: RetentionParts): Promise<boolean> {
  return (await peers.daemon.instances()).some(({ config }) => config.id === instanceId);
}

async function retained(
  entry: CatalogueEntry,
  stores: readonly { name: string }[],
  parts: RetentionParts,
): Promise<RetainedBackup & { entry: CatalogueEntry }> {
  // Nothing can be restored from a store that is not in the settings any more.
  const within = new Set(stores.map(({ name }) => name));
  const hasCopy = parts.replicas.of(entry).some(({ state, store }) => state === 'replicated' && within.has(store));
  return {
    entry,
    backupId: entry.backupId,
    createdAt: Date.parse(entry.createdAt),
    reason: entry.reason,
    pinned: entry.pinned,
    damaged: !hasCopy && (await localState(entry, parts.files)) !== 'present',
    busy: isBusy(entry, parts),
  };
}

function isBusy({ instanceId, backupId }: CatalogueEntry, { queue }: RetentionParts): boolean {
  return queue.active(instanceId).some((job) => job.backupId === backupId);
}

async function record(
  { instanceId, backupId, createdAt, sizeBytes }: CatalogueEntry,
  retention: RetentionSettings,
  { peers, now, log }: RetentionParts,
): Promise<void> {
  log.info({ instance: instanceId, backup: backupId, createdAt, sizeBytes, retention }, 'retention removed a backup');
  await peers.daemon
    .audit({
      at: now().toISOString(),
      who: 'retention',
      from: 'gamekeeper',
      method: 'DELETE',
      path: `/instances/${instanceId}/backups/${backupId}`,
      status: 204,
      requestId: `retention-${backupId}`,
    })
    // It is in the log; a daemon that is away must not keep the disk full.
    .catch((error: unknown) => log.warn({ err: error }, 'a removal could not be put into the audit'));
}
