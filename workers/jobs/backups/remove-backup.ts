import { rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { isDiskFull } from '../../../shared/errors/disk-full.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { BackupStorage } from './backup-storage.ts';
import type { BackupKey } from './catalogue/archive-files.ts';
import { manifestOf } from './catalogue/manifest.ts';
import { removeDownloads } from './restore/downloads.ts';

type Files = Pick<BackupStorage, 'catalogue' | 'files' | 'encrypted'>;

/** Deletes a backup, and queues its copies for removal. After a crash, the next start finishes it. Throws `backup_not_found`. */
export async function removeBackup(key: BackupKey, { catalogue, files, encrypted }: Files): Promise<void> {
  const archive = files.pathOf(catalogue.get(key));
  try {
    catalogue.retract(key);
  } catch (error) {
    // Removing the files frees the disk. If a crash comes first, the backup stays listed with a missing archive and can be deleted again.
    if (!isDiskFull(error)) throw error;
  }
  await removeFiles(archive, { encrypted });
  catalogue.remove(key);
}

/** Like `removeBackup`, as a job, so that watchers of jobs see it. */
export async function removeAsJob(
  { instanceId, backupId }: BackupKey,
  { storage, queue }: { storage: Files; queue: JobQueue },
): Promise<void> {
  const key = { instanceId, backupId };
  const { jobId } = queue.add({ kind: 'delete', ...key, queued: false, work: () => removeBackup(key, storage) });
  await queue.wait(jobId, NEVER);
}

const NEVER = new AbortController().signal;

export async function removeFiles(archive: string, { encrypted }: Pick<BackupStorage, 'encrypted'>): Promise<void> {
  await rm(archive, { force: true });
  await encrypted.release(archive);
  await removeDownloads(archive);
  await rm(manifestOf(archive), { force: true });
  // Succeeds once the instance's folder is empty.
  await rmdir(path.dirname(archive)).catch(() => undefined);
}
