import type { JobsService } from '../../shared/contract/jobs.ts';
import { isLive } from '../../shared/domain/phase.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { VerifyResponse } from '../../shared/schema/backup.ts';
import type { Job } from '../../shared/schema/job.ts';
import { type BackupKey, toBackup } from './backups/catalogue.ts';
import { createBackup } from './backups/create.ts';
import type { PreviousFolders } from './backups/previous-folders.ts';
import { removeBackup } from './backups/remove.ts';
import { type RestoreParts, restoreBackup } from './backups/restore.ts';
import { requireArchive, verifyBackup } from './backups/verify.ts';
import type { Provisioner } from './provision.ts';
import { provisionAsJob } from './provision-job.ts';
import type { JobQueue } from './queue.ts';
import { watchJobs } from './watch-jobs.ts';

/** Results of verifications that are remembered, like the jobs themselves. */
const MAX_VERIFICATIONS = 200;

export interface JobsParts extends RestoreParts {
  queue: JobQueue;
  previousFolders: PreviousFolders;
  /** Called when a folder from before a restore has come to be. */
  onReplaced(): void;
  provisioner: Provisioner;
  figures: JobsService['figures'];
}

/** The contract of this process: checks what can be checked at once, and queues the rest. */
export function createJobsService(parts: JobsParts): JobsService {
  const { queue, catalogue, files, peers } = parts;
  const verifications = new Map<string, VerifyResponse>();

  /** At most `backups.concurrency` of these run on this host. */
  async function enqueue(request: Omit<Parameters<JobQueue['add']>[0], 'queued'>): Promise<Job> {
    queue.limit = (await parts.settings()).backups.concurrency;
    refuseWhileBusy(queue.active(request.instanceId), request);
    return queue.add({ ...request, queued: true });
  }

  return {
    async *provision(instanceId, signal) {
      const { config } = await peers.daemon.instance(instanceId);
      yield* provisionAsJob(config, { ...parts, signal });
    },
    async startBackup({ instanceId, cloudReplicate, reason }) {
      const { config } = await peers.daemon.instance(instanceId);
      return enqueue({
        kind: 'backup',
        instanceId,
        work: (run) => createBackup({ config, reason, cloudReplicate }, run, parts),
      });
    },
    async startVerify({ instanceId, backupId }) {
      const entry = catalogue.get({ instanceId, backupId });
      await requireArchive(entry, files);
      return enqueue({
        kind: 'verify',
        instanceId,
        backupId,
        async work(run) {
          const { sha256, damage } = await verifyBackup(entry, run, parts);
          remember(verifications, run.jobId, { ok: damage === null, sha256, replicas: [] });
          if (damage !== null) throw new GamekeeperError('backup_damaged', damage);
        },
      });
    },
    async startRestore({ instanceId, backupId }) {
      const { config, runtime } = await peers.daemon.instance(instanceId);
      const entry = catalogue.get({ instanceId, backupId });
      await requireArchive(entry, files);
      if (isLive(runtime.phase))
        throw new GamekeeperError(
          'invalid_state',
          `"${instanceId}" is ${runtime.phase}; a restore replaces its folder.`,
          {
            resolution: 'Stop it first.',
          },
        );
      return enqueue({
        kind: 'restore',
        instanceId,
        backupId,
        async work(run) {
          await restoreBackup({ config, entry }, run, parts);
          parts.onReplaced();
        },
      });
    },
    waitForJob: (jobId, signal) => queue.wait(jobId, signal),
    verification: (jobId) => verifications.get(jobId) ?? null,
    jobs: () => queue.all(),
    job: (jobId) => queue.find(jobId),
    watchJobs: (signal) => watchJobs(queue, signal),
    figures: parts.figures,
    cancel: (jobId) => queue.cancel(jobId),
    backups: (instanceId) => catalogue.list(instanceId).map(toBackup),
    backup: (key) => toBackup(catalogue.get(key)),
    archivePath: (key) => files.pathOf(catalogue.get(key)),
    setPinned({ pinned, ...key }) {
      catalogue.get(key);
      catalogue.setPinned(key, pinned);
      return toBackup(catalogue.get(key));
    },
    async deleteBackup(key) {
      refuseWhileUsed(queue.active(key.instanceId), key);
      await removeBackup(key, parts);
    },
    async forgetInstance({ instanceId, files: withFiles }) {
      const active = queue.active(instanceId);
      for (const { jobId } of active) queue.cancel(jobId);
      for (const { jobId } of active) await queue.wait(jobId, NEVER).catch(() => undefined); // cancelled: that is the point
      await parts.previousFolders.forget(instanceId);
      for (const entry of catalogue.list(instanceId)) {
        if (withFiles) await removeBackup(entry, parts);
        else catalogue.remove(entry);
      }
    },
  };
}

const NEVER = new AbortController().signal;

/** One job that reads or replaces the folder at a time: a second is a mistake rather than a wish. Verifying may wait. */
function refuseWhileBusy(
  active: readonly Job[],
  { kind, instanceId }: { kind: Job['kind']; instanceId: string },
): void {
  const busy = active.find((job) => job.kind === 'backup' || job.kind === 'restore');
  if (!busy || kind === 'verify') return;
  if (busy.kind === 'backup')
    throw new GamekeeperError('backup_in_progress', `A backup of "${instanceId}" is under way.`);
  throw new GamekeeperError('already_in_progress', `A backup is being restored into "${instanceId}".`);
}

function refuseWhileUsed(active: readonly Job[], { backupId }: BackupKey): void {
  if (active.some((job) => job.backupId === backupId))
    throw new GamekeeperError('already_in_progress', `The backup "${backupId}" is being read.`, {
      resolution: 'Wait until that is done, or cancel it.',
    });
}

function remember(verifications: Map<string, VerifyResponse>, jobId: string, verification: VerifyResponse): void {
  verifications.set(jobId, verification);
  const [oldest] = verifications.keys();
  if (verifications.size > MAX_VERIFICATIONS && oldest !== undefined) verifications.delete(oldest);
}
