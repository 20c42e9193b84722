import type { Logger } from '../../../../shared/node/logger.ts';
import type { RetentionSettings } from '../../../../shared/schema/backup-settings.ts';
import type { JobQueue } from '../../queue/queue.ts';
import type { Peers } from '../../resources/peers.ts';
import type { BackupStorage } from '../backup-storage.ts';
import { localState } from '../catalogue/backup-view.ts';
import type { CatalogueEntry } from '../catalogue/catalogue.ts';
import { removeAsJob } from '../remove-backup.ts';
import { backupsToRemove, type RetainedBackup } from './retention.ts';

export interface ApplyRetentionOptions {
  storage: BackupStorage;
  queue: JobQueue;
  peers: Peers;
  log: Logger;
}

/** Removes what retention no longer keeps, with its copies, and audits each removal. Backups of deleted instances are left alone. */
export async function applyRetention(instanceId: string, options: ApplyRetentionOptions): Promise<void> {
  const { storage, queue, peers } = options;
  const { retention, stores = [] } = await storage.settings();
  if (!retention || !(await exists(instanceId, peers))) return;
  const names = new Set(stores.map(({ name }) => name));
  const entries = storage.catalogue.list(instanceId);
  const backups = await Promise.all(entries.map((entry) => toRetained(entry, names, options)));
  for (const { entry } of backupsToRemove(backups, retention, Date.now())) {
    // It may have been pinned, deleted or taken into use while another one was removed.
    const current = storage.catalogue.list(instanceId).find(({ backupId }) => backupId === entry.backupId);
    if (!current || current.pinned || isBusy(current, queue)) continue;
    await removeAsJob(entry, options);
    await recordRemoval(entry, retention, options);
  }
}

async function exists(instanceId: string, { daemon }: Peers): Promise<boolean> {
  return (await daemon.instances()).some(({ config }) => config.id === instanceId);
}

async function toRetained(
  entry: CatalogueEntry,
  stores: ReadonlySet<string>,
  { storage, queue }: ApplyRetentionOptions,
): Promise<RetainedBackup & { entry: CatalogueEntry }> {
  // A copy in a store that is no longer in the settings cannot be restored from.
  const hasCopy = storage.replicas.of(entry).some(({ state, store }) => state === 'replicated' && stores.has(store));
  return {
    entry,
    backupId: entry.backupId,
    createdAt: Date.parse(entry.createdAt),
    reason: entry.reason,
    pinned: entry.pinned,
    damaged: !hasCopy && (await localState(entry, storage.files)) !== 'present',
    busy: isBusy(entry, queue),
  };
}

function isBusy({ instanceId, backupId }: CatalogueEntry, queue: JobQueue): boolean {
  return queue.active(instanceId).some((job) => job.backupId === backupId);
}

async function recordRemoval(
  { instanceId, backupId, createdAt, sizeBytes }: CatalogueEntry,
  retention: RetentionSettings,
  { peers, log }: ApplyRetentionOptions,
): Promise<void> {
  log.info({ instance: instanceId, backup: backupId, createdAt, sizeBytes, retention }, 'retention removed a backup');
  await peers.daemon
    .audit({
      at: new Date().toISOString(),
      who: 'retention',
      from: 'gamekeeper',
      method: 'DELETE',
      path: `/instances/${instanceId}/backups/${backupId}`,
      status: 204,
      requestId: `retention-${backupId}`,
    })
    // The log has it. Retention must go on even without the daemon, or the disk fills up.
    .catch((error: unknown) => log.warn({ err: error }, 'could not record a removal in the audit log'));
}
