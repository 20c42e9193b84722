import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { ActionResponse, BackupResponse } from '../../shared/schema/answers.ts';
import type { Backup, DrillResult, VerifyResponse } from '../../shared/schema/backup.ts';
import type { RetentionSettings } from '../../shared/schema/backup-settings.ts';
import type { Job } from '../../shared/schema/job.ts';
import type { Daemon, Jobs } from '../upstream/clients.ts';
import type { InstanceView } from '../upstream/instance-view.ts';
import type { JobsService } from './jobs.ts';

/** One archive of one instance. */
export interface BackupKey {
  instanceId: string;
  backupId: string;
}

/** Long work that has been accepted: its job now, its answer when it is done. */
export interface Accepted<Answer> {
  job: Job;
  done(): Promise<Answer>;
}

export interface BackupsService {
  create(instanceId: string, request: { cloudReplicate: boolean }): Promise<Accepted<BackupResponse>>;
  restore(key: BackupKey): Promise<Accepted<ActionResponse>>;
  verify(key: BackupKey): Promise<Accepted<VerifyResponse>>;
  /** Rehearses a restore. */
  drill(key: BackupKey): Promise<Accepted<DrillResult>>;
  list(instanceId: string): Promise<Backup[]>;
  get(key: BackupKey): Promise<Backup>;
  /** Which are kept, as far as rules say so. */
  retention(instanceId: string): Promise<RetentionSettings>;
  /** The catalogue's row and where the archive is on this machine. */
  archive(key: BackupKey): Promise<{ backup: Backup; path: string }>;
  setPinned(key: BackupKey, pinned: boolean): Promise<Backup>;
  /** Asks for copies in every store. */
  replicate(key: BackupKey): Promise<Backup>;
  remove(key: BackupKey): Promise<void>;
}

export interface BackupsOptions {
  daemon: Daemon;
  view: InstanceView;
  jobs: Jobs;
  work: JobsService;
}

export function createBackupsService({ daemon, view, jobs, work }: BackupsOptions): BackupsService {
  return {
    async create(instanceId, { cloudReplicate }) {
      await view.get(instanceId);
      const job = await jobs.call.startBackup({ instanceId, cloudReplicate, reason: 'manual' });
      return {
        job,
        async done() {
          const { backupId } = await work.finished(job);
          if (backupId === undefined)
            throw new GamekeeperError('internal_error', 'The backup ended without an archive.');
          const made = await jobs.call.backup({ instanceId, backupId });
          return {
            backupId,
            sizeBytes: made.sizeBytes,
            sha256: made.sha256,
            cloudStatus: made.cloudStatus,
          };
        },
      };
    },
    async restore(key) {
      const { config } = await view.get(key.instanceId);
      const job = await jobs.call.startRestore(key);
      return {
        job,
        async done() {
          await work.finished(job);
          return { success: true, message: `"${config.name}" was restored from ${key.backupId}.` };
        },
      };
    },
    async verify(key) {
      await view.get(key.instanceId);
      const job = await jobs.call.startVerify(key);
      return {
        job,
        async done() {
          await work.finished(job);
          const verified = await jobs.call.verification(job.jobId);
          if (!verified) throw new GamekeeperError('internal_error', 'The verification ended without a result.');
          return verified;
        },
      };
    },
    async drill(key) {
      await view.get(key.instanceId);
      const job = await jobs.call.startDrill(key);
      return {
        job,
        async done() {
          await work.finished(job);
          const { lastDrill } = await jobs.call.backup(key);
          if (!lastDrill) throw new GamekeeperError('internal_error', 'The drill ended without a result.');
          return lastDrill;
        },
      };
    },
    async list(instanceId) {
      await view.get(instanceId);
      return jobs.call.backups(instanceId);
    },
    async get(key) {
      await view.get(key.instanceId);
      return jobs.call.backup(key);
    },
    async retention(instanceId) {
      await view.get(instanceId);
      return (await daemon.call.settings()).backups.retention ?? {};
    },
    async archive(key) {
      await view.get(key.instanceId);
      const [backup, path] = await Promise.all([jobs.call.backup(key), jobs.call.archivePath(key)]);
      return { backup, path };
    },
    async setPinned(key, pinned) {
      await view.get(key.instanceId);
      return jobs.call.setPinned({ ...key, pinned });
    },
    async replicate(key) {
      await view.get(key.instanceId);
      return jobs.call.replicate(key);
    },
    async remove(key) {
      await view.get(key.instanceId);
      await jobs.call.deleteBackup(key);
    },
  };
}
