import type { JobsService } from '../../../shared/contract/jobs.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { isMissing } from '../../../shared/node/files/is-missing.ts';
import type { Backup } from '../../../shared/schema/backup.ts';
import type { Job } from '../../../shared/schema/job.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { BackupStorage } from './backup-storage.ts';
import type { BackupKey } from './catalogue/archive-files.ts';
import { toBackups } from './catalogue/backup-view.ts';
import type { CatalogueEntry } from './catalogue/catalogue.ts';
import { writeManifest } from './catalogue/manifest.ts';
import { removeAsJob, removeBackup } from './remove-backup.ts';
import type { Replication } from './replication/replication.ts';
import type { PreviousFolders } from './restore/previous-folders.ts';
import { unavailable } from './stores/store-error.ts';

export interface BackupCallsOptions {
  storage: BackupStorage;
  replication: Replication;
  previousFolders: PreviousFolders;
  queue: JobQueue;
}

export type BackupCalls = Pick<
  JobsService,
  'backups' | 'backup' | 'archivePath' | 'setPinned' | 'replicate' | 'deleteBackup' | 'testStore' | 'forgetInstance'
>;

export function createBackupCalls({ storage, replication, previousFolders, queue }: BackupCallsOptions): BackupCalls {
  const { catalogue, replicas, files } = storage;

  async function show(entry: CatalogueEntry): Promise<Backup> {
    const transfers = queue.active(entry.instanceId);
    const [backup] = await toBackups([entry], { rows: replicas.of(entry), transfers, files });
    return backup!;
  }

  async function showChanged(key: BackupKey): Promise<Backup> {
    const entry = catalogue.get(key);
    const archive = files.pathOf(entry);
    if (!(await isMissing(archive))) await writeManifest(archive, entry);
    return show(entry);
  }

  return {
    backups(request) {
      const rows = replicas.ofInstance(request.instanceId);
      const transfers = queue.active(request.instanceId);
      return toBackups(catalogue.page(request), { rows, transfers, files });
    },
    backup: async (key) => show(catalogue.get(key)),
    archivePath: (key) => files.pathOf(catalogue.get(key)),
    async setPinned({ pinned, ...key }) {
      catalogue.setPinned(key, pinned);
      return showChanged(key);
    },
    async replicate(key) {
      const { stores = [] } = await storage.settings();
      if (stores.length === 0)
        throw new GamekeeperError('invalid_state', 'There is no store for copies.', {
          resolution: 'Add one to backups.stores in the settings.',
        });
      const entry = catalogue.get(key);
      catalogue.setReplicated(entry);
      for (const { name } of stores) replicas.request(entry, name);
      replication.hurry(stores.map(({ name }) => name));
      return showChanged(key);
    },
    async deleteBackup(key) {
      refuseWhileUsed(queue.active(key.instanceId), key);
      catalogue.get(key);
      await removeAsJob(key, { storage, queue });
      replication.wake();
    },
    async testStore(name, signal) {
      await testStore(name, storage, signal);
      // The store works: copies need not wait for their next attempt.
      replication.hurry([name]);
    },
    async forgetInstance({ instanceId, backups }) {
      // Copies of backups that are kept may continue.
      const active = queue.active(instanceId).filter(({ kind }) => backups || kind !== 'replicate');
      for (const { jobId } of active) queue.cancel(jobId);
      // Clones and imports may wait for the daemon, which waits for this call. They leave nothing behind here.
      const ending = active.filter(({ kind }) => kind !== 'clone' && kind !== 'import');
      for (const { jobId } of ending) await queue.wait(jobId, NEVER).catch(() => undefined); // cancelled, as intended
      await previousFolders.forget(instanceId);
      if (!backups) return;
      for (const entry of catalogue.list(instanceId)) await removeBackup(entry, storage);
      replication.wake();
    },
  };
}

const NEVER = new AbortController().signal;

function refuseWhileUsed(active: readonly Job[], { backupId }: BackupKey): void {
  const job = active.find((one) => one.backupId === backupId);
  if (!job) return;
  const doing: Partial<Record<Job['kind'], string>> = { replicate: `copied to "${job.store}"`, delete: 'deleted' };
  throw new GamekeeperError('already_in_progress', `The backup "${backupId}" is being ${doing[job.kind] ?? 'read'}.`, {
    resolution: 'Wait until that is done, or cancel it.',
  });
}

/** A user waits for the result. Milliseconds. */
const PATIENCE_MS = 60_000;

/** Writes, reads and removes a small object in a store of the settings. Throws `store_not_found`, and what is wrong with the store. */
async function testStore(
  name: string,
  { settings, createStore }: Pick<BackupStorage, 'settings' | 'createStore'>,
  signal: AbortSignal,
): Promise<void> {
  const found = (await settings()).stores?.find((store) => store.name === name);
  if (!found) throw new GamekeeperError('store_not_found', `There is no store "${name}" in the settings.`);
  const tooLong = new AbortController();
  const giveUp = () => tooLong.abort(unavailable(name, `did not finish within ${PATIENCE_MS / 1000} s.`));
  const timer = setTimeout(giveUp, PATIENCE_MS);
  const store = await createStore(found);
  try {
    await store.test(AbortSignal.any([signal, tooLong.signal]));
  } finally {
    clearTimeout(timer);
    await store.close();
  }
}
