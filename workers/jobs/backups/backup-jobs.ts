import type { JobsService } from '../../../shared/contract/jobs.ts';
import { isLive } from '../../../shared/domain/instance/phase.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import type { VerifyResponse } from '../../../shared/schema/backup.ts';
import type { Job } from '../../../shared/schema/job.ts';
import type { JobRequest, JobRun } from '../queue/job-entry.ts';
import type { JobQueue } from '../queue/queue.ts';
import { remember } from '../queue/remember.ts';
import type { Peers } from '../resources/peers.ts';
import type { Pool } from '../resources/pool.ts';
import type { Scratch } from '../resources/scratch.ts';
import { requireArchiveOrCopy } from './archive-damage.ts';
import type { BackupRules } from './backup-rules.ts';
import type { BackupStorage } from './backup-storage.ts';
import { topmostPaths } from './browse/backup-path.ts';
import type { BackupReader } from './browse/backup-reader.ts';
import type { BackupKey } from './catalogue/archive-files.ts';
import type { CatalogueEntry } from './catalogue/catalogue.ts';
import { createBackup } from './create-backup.ts';
import type { Replication } from './replication/replication.ts';
import { drillRestore } from './restore/drill.ts';
import type { FolderSwapOptions } from './restore/folder-swap.ts';
import type { RestartMarks } from './restore/restart-marks.ts';
import { restoreBackup } from './restore/restore.ts';
import { requireSource } from './restore/unpack-backup.ts';
import { whileStopped } from './restore/while-stopped.ts';
import { verifyBackup } from './verify-backup.ts';

export interface BackupResources {
  storage: BackupStorage;
  pool: Pool;
  peers: Peers;
  scratch: Scratch;
  restarts: RestartMarks;
  log: Logger;
}

export interface BackupJobsOptions {
  resources: BackupResources;
  reader: BackupReader;
  swap: FolderSwapOptions;
  replication: Replication;
  queue: JobQueue;
  applyRules: BackupRules;
}

export type BackupJobs = Pick<
  JobsService,
  'startBackup' | 'startVerify' | 'startRestore' | 'startFileRestore' | 'startDrill' | 'verification'
>;

/** Long work on backups. Each call validates the request as far as possible, queues a job, and returns it. */
export function createBackupJobs({
  resources,
  reader,
  swap,
  replication,
  queue,
  applyRules,
}: BackupJobsOptions): BackupJobs {
  const { storage, peers, restarts } = resources;
  const { catalogue } = storage;
  const verifications = new Map<string, VerifyResponse>();

  function enqueue(request: Omit<JobRequest, 'queued'>): Job {
    refuseWhileBusy(queue.active(request.instanceId), request);
    return queue.add({ ...request, queued: true });
  }

  function enqueueFor(
    kind: Job['kind'],
    key: BackupKey,
    work: (entry: CatalogueEntry, run: JobRun) => Promise<void>,
  ): Job {
    return enqueue({ kind, ...key, work: (run) => work(catalogue.get(key), run) });
  }

  /** Without `paths`, of everything. */
  async function startRestore(
    key: BackupKey,
    { paths, restart = false }: { paths?: readonly string[]; restart?: boolean | undefined },
  ): Promise<Job> {
    const { config, runtime } = await peers.daemon.instance(key.instanceId);
    await requireSource(catalogue.get(key), storage);
    if (isLive(runtime.phase) && !restart) throw mustBeStopped(key.instanceId, runtime.phase, paths === undefined);
    return enqueueFor('restore', key, async (entry, run) => {
      const restore = () => restoreBackup({ config, entry, ...(paths && { paths }) }, run, { ...resources, swap });
      try {
        await (restart ? whileStopped(key.instanceId, restore, { peers, restarts, signal: run.signal }) : restore());
        swap.previousFolders.watchStarts();
      } finally {
        await applyRules(key.instanceId); // There may be a new backup even if the rest has failed.
      }
    });
  }

  return {
    async startBackup({ instanceId, cloudReplicate, reason }) {
      const { config } = await peers.daemon.instance(instanceId);
      const work = async (run: JobRun) => {
        await createBackup({ config, reason, cloudReplicate }, run, resources);
        await applyRules(instanceId);
      };
      return enqueue({ kind: 'backup', instanceId, work });
    },
    async startVerify(key) {
      await requireArchiveOrCopy(catalogue.get(key), storage);
      return enqueueFor('verify', key, async (entry, run) => {
        const { response, failure } = await verifyBackup(entry, run, resources);
        remember(verifications, run.jobId, response);
        replication.wake();
        if (failure) throw failure;
      });
    },
    startRestore: ({ restart, ...key }) => startRestore(key, { restart }),
    async startFileRestore({ paths: wanted, ...key }, signal) {
      const paths = topmostPaths(wanted);
      await reader.ask('findPaths', { key, task: { paths } }, signal);
      return startRestore(key, { paths });
    },
    async startDrill(key) {
      const { config } = await peers.daemon.instance(key.instanceId);
      await requireSource(catalogue.get(key), storage);
      return enqueueFor('drill', key, async (entry, run) => {
        await drillRestore({ config, entry }, run, resources);
        replication.wake();
      });
    },
    verification: (jobId) => verifications.get(jobId) ?? null,
  };
}

/** Refuses a second job that reads or replaces the folder: a second one is most likely a mistake. Jobs that read backups may queue up. */
function refuseWhileBusy(
  active: readonly Job[],
  { kind, instanceId }: { kind: Job['kind']; instanceId: string },
): void {
  const busy = active.find((job) => job.kind === 'backup' || job.kind === 'restore');
  if (!busy || (kind !== 'backup' && kind !== 'restore')) return;
  if (busy.kind === 'backup')
    throw new GamekeeperError('backup_in_progress', `A backup of "${instanceId}" is already running.`);
  throw new GamekeeperError('already_in_progress', `A backup is being restored into "${instanceId}".`);
}

function mustBeStopped(instanceId: string, phase: string, canRestart: boolean): GamekeeperError {
  return new GamekeeperError('invalid_state', `"${instanceId}" is ${phase}; a restore replaces its folder.`, {
    resolution: canRestart ? 'Stop the server first, or restore with "restart": true.' : 'Stop the server first.',
  });
}
