import { rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { isDiskFull } from '../../../shared/errors/disk-full.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { BackupKey } from './backup-key.ts';
import type { BackupParts } from './backup-parts.ts';
import { manifestOf } from './catalogue/manifest.ts';
import { removeDownloads } from './restore/downloads.ts';

/**
 * Deletes a backup with its archive. Its copies are queued for removal: a store that is away is told when it is back. Cut off by a crash,
 * it is finished at the next start (sweep.ts). Throws `backup_not_found`.
 */
export async function removeBackup(
  key: BackupKey,
  { catalogue, files, encrypted }: Pick<BackupParts, 'catalogue' | 'files' | 'encrypted'>,
): Promise<void> {
  const archive = files.pathOf(catalogue.get(key));
  try {
    catalogue.retract(key);
  } catch (error) {
    // What is removed makes the room. Cut off before it is written down, the archive is missing, and can be deleted once more.
    if (!isDiskFull(error)) throw error;
  }
  await removeFiles(archive, { encrypted });
  catalogue.remove(key);
}

/** The same as a job, so that whoever watches jobs hears of it. */
export async function removeAsJob(
  { instanceId, backupId }: BackupKey,
  { queue, ...parts }: Parameters<typeof removeBackup>[1] & { queue: JobQueue },
): Promise<void> {
  const key = { instanceId, backupId };
  const { jobId } = queue.add({ kind: 'delete', ...key, queued: false, work: () => removeBackup(key, parts) });
  await queue.wait(jobId, NEVER);
}

const NEVER = new AbortController().signal;

/** Removes all that there is of an archive on this machine. */
export async function removeFiles(archive: string, { encrypted }: Pick<BackupParts, 'encrypted'>): Promise<void> {
  await rm(archive, { force: true });
  await encrypted.release(archive);
  await removeDownloads(archive);
  await rm(manifestOf(archive), { force: true });
  // The instance's own folder goes with its last archive.
  await rmdir(path.dirname(archive)).catch(() => undefined);
}
