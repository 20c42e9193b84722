import type { JobsService } from '../../../shared/contract/jobs.ts';
import { isLive } from '../../../shared/domain/phase.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { isMissing } from '../../../shared/node/files/is-missing.ts';
import type { Backup, VerifyResponse } from '../../../shared/schema/backup.ts';
import type { Job } from '../../../shared/schema/job.ts';
import type { JobRequest, JobRun } from '../queue/job-entry.ts';
import type { JobQueue } from '../queue/queue.ts';
import { requireAnything } from './archive-damage.ts';
import type { BackupKey } from './backup-key.ts';
import { toBackup } from './catalogue/backup-view.ts';
import type { CatalogueEntry } from './catalogue/catalogue.ts';
import { writeManifest } from './catalogue/manifest.ts';
import { createBackup } from './create-backup.ts';
import { removeAsJob, removeBackup } from './remove-backup.ts';
import type { Replication } from './replication/replication.ts';
import { drillRestore } from './restore/drill.ts';
import type { PreviousFolders } from './restore/previous-folders.ts';
import { type RestoreParts, restoreBackup } from './restore/restore.ts';
import { requireSource } from './restore/unpack-backup.ts';
import { applyRetention } from './retention/apply-retention.ts';
import { verifyBackup } from './verify-backup.ts';

/** Results of verifications that are remembered, like the jobs themselves. */
const MAX_VERIFICATIONS = 200;

export interface BackupCallParts extends RestoreParts {
  queue: JobQueue;
  replication: Replication;
  previousFolders: PreviousFolders;
  /** Called when a folder from before a restore has come to be. */
  onReplaced(): void;
}

type BackupCalls = Pick<
  JobsService,
  | 'startBackup'
  | 'startVerify'
  | 'startRestore'
  | 'startDrill'
  | 'verification'
  | 'backups'
  | 'backup'
  | 'archivePath'
  | 'setPinned'
  | 'replicate'
  | 'deleteBackup'
  | 'forgetInstance'
>;

/** What can be asked about backups: checks what can be checked at once, and queues the rest. */
export function backupCalls(parts: BackupCallParts): BackupCalls {
  const { queue, catalogue, replicas, files, peers, replication } = parts;
  const verifications = new Map<string, VerifyResponse>();

  function enqueue(request: Omit<JobRequest, 'queued'>): Job {
    refuseWhileBusy(queue.active(request.instanceId), request);
    return queue.add({ ...request, queued: true });
  }

  /** Of a backup that is there when its turn comes. */
  function enqueueFor(
    kind: Job['kind'],
    key: BackupKey,
    work: (entry: CatalogueEntry, run: JobRun) => Promise<void>,
  ): Job {
    return enqueue({ kind, ...key, work: (run) => work(catalogue.get(key), run) });
  }

  function show(entry: CatalogueEntry): Promise<Backup> {
    const transfers = queue.active(entry.instanceId);
    return toBackup(entry, { rows: replicas.of(entry), transfers, files });
  }

  /** With the change in the manifest, too. */
  async function showChanged(key: BackupKey): Promise<Backup> {
    const entry = catalogue.get(key);
    const archive = files.pathOf(entry);
    if (!(await isMissing(archive))) await writeManifest(archive, entry);
    return show(entry);
  }

  /** What comes after new backups. That it fails is no reason for them to. */
  async function tidyUp(instanceId: string): Promise<void> {
    await applyRetention(instanceId, parts).catch((error: unknown) =>
      parts.log.error({ err: error, instance: instanceId }, 'backups that are not kept any more could not be removed'),
    );
    replication.wake();
  }

  return {
    async startBackup({ instanceId, cloudReplicate, reason }) {
      const { config } = await peers.daemon.instance(instanceId);
      return enqueue({
        kind: 'backup',
        instanceId,
        async work(run) {
          await createBackup({ config, reason, cloudReplicate }, run, parts);
          await tidyUp(instanceId);
        },
      });
    },
    async startVerify(key) {
      await requireAnything(catalogue.get(key), parts);
      return enqueueFor('verify', key, async (entry, run) => {
        const { response, failure } = await verifyBackup(entry, run, parts);
        remember(verifications, run.jobId, response);
        replication.wake();
        if (failure) throw failure;
      });
    },
    async startRestore(key) {
      const { config, runtime } = await peers.daemon.instance(key.instanceId);
      await requireSource(catalogue.get(key), parts);
      if (isLive(runtime.phase)) throw mustBeStopped(key.instanceId, runtime.phase);
      return enqueueFor('restore', key, async (entry, run) => {
        await restoreBackup({ config, entry }, run, parts);
        parts.onReplaced();
        await tidyUp(key.instanceId);
      });
    },
    async startDrill(key) {
      const { config } = await peers.daemon.instance(key.instanceId);
      await requireSource(catalogue.get(key), parts);
      return enqueueFor('drill', key, async (entry, run) => {
        await drillRestore({ config, entry }, run, parts);
        replication.wake();
      });
    },
    verification: (jobId) => verifications.get(jobId) ?? null,
    async backups(instanceId) {
      const rows = replicas.ofInstance(instanceId);
      const transfers = queue.active(instanceId);
      return Promise.all(catalogue.list(instanceId).map((entry) => toBackup(entry, { rows, transfers, files })));
    },
    backup: async (key) => show(catalogue.get(key)),
    archivePath: (key) => files.pathOf(catalogue.get(key)),
    async setPinned({ pinned, ...key }) {
      catalogue.setPinned(key, pinned);
      return showChanged(key);
    },
    async replicate(key) {
      const { stores = [] } = (await parts.settings()).backups;
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
      await removeAsJob(key, parts);
      replication.wake();
    },
    async forgetInstance({ instanceId, backups }) {
      // Copies of what is kept may go on.
      const active = queue.active(instanceId).filter(({ kind }) => backups || kind !== 'replicate');
      for (const { jobId } of active) queue.cancel(jobId);
      // What makes an instance may be waiting for the daemon, which is waiting for us. It leaves nothing here.
      const ending = active.filter(({ kind }) => kind !== 'clone' && kind !== 'import');
      for (const { jobId } of ending) await queue.wait(jobId, NEVER).catch(() => undefined); // cancelled: that is the point
      await parts.previousFolders.forget(instanceId);
      if (!backups) return;
      for (const entry of catalogue.list(instanceId)) await removeBackup(entry, parts);
      replication.wake();
    },
  };
}

const NEVER = new AbortController().signal;

/** One job that reads or replaces the folder at a time: a second is a mistake rather than a wish. What reads backups may wait. */
function refuseWhileBusy(
  active: readonly Job[],
  { kind, instanceId }: { kind: Job['kind']; instanceId: string },
): void {
  const busy = active.find((job) => job.kind === 'backup' || job.kind === 'restore');
  if (!busy || (kind !== 'backup' && kind !== 'restore')) return;
  if (busy.kind === 'backup')
    throw new GamekeeperError('backup_in_progress', `A backup of "${instanceId}" is under way.`);
  throw new GamekeeperError('already_in_progress', `A backup is being restored into "${instanceId}".`);
}

function refuseWhileUsed(active: readonly Job[], { backupId }: BackupKey): void {
  const job = active.find((one) => one.backupId === backupId);
  if (!job) return;
  const doing: Partial<Record<Job['kind'], string>> = { replicate: `copied to "${job.store}"`, delete: 'deleted' };
  throw new GamekeeperError('already_in_progress', `The backup "${backupId}" is being ${doing[job.kind] ?? 'read'}.`, {
    resolution: 'Wait until that is done, or cancel it.',
  });
}

function mustBeStopped(instanceId: string, phase: string): GamekeeperError {
  return new GamekeeperError('invalid_state', `"${instanceId}" is ${phase}; a restore replaces its folder.`, {
    resolution: 'Stop it first.',
  });
}

function remember(verifications: Map<string, VerifyResponse>, jobId: string, verification: VerifyResponse): void {
  verifications.set(jobId, verification);
  const [oldest] = verifications.keys();
  if (verifications.size > MAX_VERIFICATIONS && oldest !== undefined) verifications.delete(oldest);
}
