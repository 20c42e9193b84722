import { type Holder, rightsOn } from '../../shared/domain/access/rights.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { ActionResponse, BackupResponse } from '../../shared/schema/answers.ts';
import type { Backup, BackupsQuery, DrillResult, VerifyResponse } from '../../shared/schema/backup.ts';
import type { RetentionSettings } from '../../shared/schema/backup-settings.ts';
import { requireRights } from '../auth/access.ts';
import { needs } from '../http/operation.ts';
import type { Daemon, Jobs } from '../upstream/clients.ts';
import type { InstanceView } from '../upstream/instance-view.ts';
import type { Accepted, JobsService } from './jobs.ts';

export interface BackupKey {
  instanceId: string;
  backupId: string;
}

export interface BackupsService {
  create(instanceId: string, request: { cloudReplicate: boolean }): Promise<Accepted<BackupResponse>>;
  /** `restart` throws `insufficient_scope` unless `by` may start and stop the server. */
  restore(key: BackupKey, options: { restart: boolean }, by: Holder): Promise<Accepted<ActionResponse>>;
  verify(key: BackupKey): Promise<Accepted<VerifyResponse>>;
  /** Restores into a scratch folder. */
  drill(key: BackupKey): Promise<Accepted<DrillResult>>;
  /** Newest first. `next`: the value of `before` for the next page; absent if there are no older backups. */
  list(instanceId: string, query: BackupsQuery): Promise<{ backups: Backup[]; next?: string }>;
  get(key: BackupKey): Promise<Backup>;
  retention(instanceId: string): Promise<RetentionSettings>;
  /** Returns the catalogue's entry and the path of the archive on this machine. */
  archive(key: BackupKey): Promise<{ backup: Backup; path: string }>;
  setPinned(key: BackupKey, pinned: boolean): Promise<Backup>;
  /** Queues copies to every store. */
  replicate(key: BackupKey): Promise<Backup>;
  remove(key: BackupKey): Promise<void>;
}

export interface BackupsOptions {
  daemon: Daemon;
  view: InstanceView;
  jobs: Jobs;
  work: JobsService;
}

const RESTARTING = needs('servers:write');

export function createBackupsService({ daemon, view, jobs, work }: BackupsOptions): BackupsService {
  return {
    async create(instanceId, { cloudReplicate }) {
      await view.get(instanceId);
      const job = await jobs.call.startBackup({ instanceId, cloudReplicate, reason: 'manual' });
      return work.accept(job, async ({ backupId }) => {
        if (backupId === undefined) throw withoutResult('backup');
        const backup = await jobs.call.backup({ instanceId, backupId });
        const { sizeBytes, sha256, cloudStatus, quiesced, omitted, omittedCount } = backup;
        return {
          ...{ backupId, sizeBytes, sha256, cloudStatus },
          ...(!quiesced && { quiesced }),
          ...(omittedCount > 0 && { omitted, omittedCount }),
        };
      });
    },
    async restore(key, { restart }, by) {
      const { config } = await view.get(key.instanceId);
      if (restart) requireRights(RESTARTING, rightsOn(by, key.instanceId)!);
      return work.accept(await jobs.call.startRestore({ ...key, restart }), () => ({
        success: true,
        message: `"${config.name}" was restored from ${key.backupId}.`,
      }));
    },
    async verify(key) {
      await view.get(key.instanceId);
      return work.accept(await jobs.call.startVerify(key), async ({ jobId }) => {
        const verified = await jobs.call.verification(jobId);
        if (!verified) throw withoutResult('verification');
        return verified;
      });
    },
    async drill(key) {
      await view.get(key.instanceId);
      return work.accept(await jobs.call.startDrill(key), async () => {
        const { lastDrill } = await jobs.call.backup(key);
        if (!lastDrill) throw withoutResult('drill');
        return lastDrill;
      });
    },
    async list(instanceId, { before, limit }) {
      await view.get(instanceId);
      const found = await jobs.call.backups({ instanceId, before, limit: limit + 1 });
      const backups = found.slice(0, limit);
      const last = backups.at(-1);
      return { backups, ...(found.length > limit && last && { next: last.backupId }) };
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

function withoutResult(work: string): GamekeeperError {
  return new GamekeeperError('internal_error', `The ${work} ended without a result.`);
}
