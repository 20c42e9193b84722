import { realpath, rm } from 'node:fs/promises';
import { backupId } from '../../../shared/domain/backups/backup-id.ts';
import { sayOmissions } from '../../../shared/domain/backups/omissions.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { withStorageError } from '../../../shared/node/files/disk-space.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import type { BackupReason } from '../../../shared/schema/backup.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { Progress } from '../../pool/progress.ts';
import type { JobRun } from '../queue/job-entry.ts';
import { type FolderLease, lockFolder } from '../resources/folder-lease.ts';
import { type Peers, recordWork } from '../resources/peers.ts';
import type { Pool } from '../resources/pool.ts';
import { randomHex } from '../resources/random-hex.ts';
import type { BackupStorage } from './backup-storage.ts';
import { PARTIAL_SUFFIX } from './catalogue/archive-files.ts';
import type { CatalogueEntry } from './catalogue/catalogue.ts';
import { manifestOf } from './catalogue/manifest.ts';
import { publishBackup } from './publish-backup.ts';

export interface BackupOrder {
  config: InstanceConfig;
  reason: BackupReason;
  cloudReplicate: boolean;
}

export interface CreateBackupOptions {
  storage: BackupStorage;
  pool: Pool;
  peers: Peers;
  log: Logger;
}

/** Makes a backup: locks the folder, archives it, publishes the archive. Always releases the lock. */
export async function createBackup(order: BackupOrder, run: JobRun, options: CreateBackupOptions): Promise<void> {
  const request = { instanceId: order.config.id, activity: 'backing-up', signal: run.signal } as const;
  const lease = await lockFolder(request, options);
  try {
    const signal = AbortSignal.any([run.signal, lease.lost]);
    const { progress } = run.phase(0);
    const { entry } = await archiveLockedFolder({ ...order, isStill: lease.isStill }, { signal, progress }, options);
    run.concerns(entry.backupId);
    run.omits(entry);
    if (!entry.quiesced)
      await lease.notice(
        `The backup ${entry.backupId} was made while the server was running and may contain files of different moments. For a consistent backup, stop the server first.`,
      );
    if (entry.omittedCount > 0)
      await lease.notice(`The backup ${entry.backupId} does not contain everything: ${sayOmissions(entry)}.`);
  } finally {
    await lease.release();
  }
  await recordWork({ instanceId: order.config.id, kind: 'backup' }, options);
}

/** Backs up a folder that the caller has locked. Also returns the relative paths that are in the folder but not in the archive. */
export async function archiveLockedFolder(
  { config, reason, cloudReplicate, isStill }: BackupOrder & Pick<FolderLease, 'isStill'>,
  { signal, progress }: { signal: AbortSignal; progress: Progress },
  { storage, pool }: Pick<CreateBackupOptions, 'storage' | 'pool'>,
): Promise<{ entry: CatalogueEntry; leftOut: string[] }> {
  const { catalogue, files } = storage;
  const { directory, exclude, stores = [] } = await storage.settings();
  const source = await realFolder(config);
  const createdAt = new Date();
  const key = { instanceId: config.id, backupId: backupId(createdAt, randomHex(3)) };
  const archive = await files.prepare(key, { directory, source });
  const partial = archive + PARTIAL_SUFFIX;
  try {
    // A restore does not touch what links lead to.
    const allowWorldLinks = reason === 'before-restore';
    const task = { source, target: partial, exclude, allowWorldLinks, progress: progress.memory };
    const { leftOut, ...result } = await pool.run('archive', task, signal);
    const entry = {
      ...key,
      ...result,
      createdAt: createdAt.toISOString(),
      reason,
      cloudReplicate,
      quiesced: await isStill(),
      software: config.software,
      version: config.version,
      durationMs: Date.now() - createdAt.getTime(),
      pinned: false,
      skippedCount: leftOut.length,
      file: files.toFile(archive),
    };
    const copyTo = cloudReplicate ? stores.map(({ name }) => name) : [];
    await publishBackup({ entry, partial, archive, copyTo }, catalogue);
    return { entry: catalogue.get(key), leftOut };
  } catch (error) {
    for (const file of [partial, archive, manifestOf(archive)]) await rm(file, { force: true });
    catalogue.remove(key);
    throw withStorageError(error, 'the backup');
  }
}

/** The folder itself if the configured path is a link. */
async function realFolder(config: InstanceConfig): Promise<string> {
  try {
    return await realpath(config.directory);
  } catch (cause) {
    throw new GamekeeperError(
      'invalid_state',
      `The folder of "${config.id}" is missing: there is nothing to back up.`,
      { resolution: 'Restore a backup, or start the server once.', cause },
    );
  }
}
