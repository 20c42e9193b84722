import { realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { backupId } from '../../../shared/domain/backup-id.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { syncDirectory } from '../../../shared/node/files/atomic-file.ts';
import { withStorageError } from '../../../shared/node/files/disk-space.ts';
import type { BackupReason } from '../../../shared/schema/backup.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { Progress } from '../../pool/progress.ts';
import type { JobRun } from '../queue/job-entry.ts';
import { type HeldFolder, lockFolder } from '../resources/folder-lease.ts';
import type { BackupParts } from './backup-parts.ts';
import { PARTIAL_SUFFIX } from './catalogue/archive-files.ts';
import type { CatalogueEntry, NewEntry } from './catalogue/catalogue.ts';
import { manifestOf, writeManifest } from './catalogue/manifest.ts';

export interface BackupOrder {
  config: InstanceConfig;
  reason: BackupReason;
  cloudReplicate: boolean;
}

/** Makes a backup: folder held, world still where that is possible; released on every path. */
export async function createBackup(order: BackupOrder, run: JobRun, parts: BackupParts): Promise<void> {
  const held = await lockFolder({ instanceId: order.config.id, activity: 'backing-up', signal: run.signal }, parts);
  try {
    const signal = AbortSignal.any([run.signal, held.lost]);
    const { progress } = run.phase(0);
    const { entry } = await archiveHeldFolder({ ...order, isStill: held.isStill }, { signal, progress }, parts);
    run.concerns(entry.backupId);
  } finally {
    await held.release();
  }
}

/** The same for a caller that holds the folder already. Also says what stands in the folder but is not in the archive. */
export async function archiveHeldFolder(
  { config, reason, cloudReplicate, isStill }: BackupOrder & Pick<HeldFolder, 'isStill'>,
  { signal, progress }: { signal: AbortSignal; progress: Progress },
  { files, catalogue, pool, settings, now, randomHex }: BackupParts,
): Promise<{ entry: CatalogueEntry; leftOut: string[] }> {
  const { backups } = await settings();
  const source = await folderOf(config);
  const createdAt = now();
  const key = { instanceId: config.id, backupId: backupId(createdAt, randomHex(3)) };
  const archive = await files.prepare(key, { directory: backups.directory, source });
  const partial = archive + PARTIAL_SUFFIX;
  try {
    const { leftOut, ...result } = await pool.run(
      'archive',
      { source, target: partial, exclude: backups.exclude, progress: progress.memory },
      signal,
    );
    const entry: NewEntry = {
      ...key,
      ...result,
      createdAt: createdAt.toISOString(),
      reason,
      cloudReplicate,
      quiesced: await isStill(),
      software: config.software,
      version: config.version,
      durationMs: now().getTime() - createdAt.getTime(),
      pinned: false,
      skippedCount: leftOut.length,
      file: files.toFile(archive),
    };
    catalogue.add(entry, cloudReplicate ? (backups.stores ?? []).map(({ name }) => name) : []);
    await writeManifest(archive, entry);
    await rename(partial, archive);
    await syncDirectory(path.dirname(archive));
    catalogue.publish(key);
    return { entry: catalogue.get(key), leftOut };
  } catch (error) {
    for (const file of [partial, archive, manifestOf(archive)]) await rm(file, { force: true });
    catalogue.remove(key);
    throw withStorageError(error, 'the backup');
  }
}

/** The folder itself, where the configured path leads to it over a link. */
async function folderOf(config: InstanceConfig): Promise<string> {
  try {
    return await realpath(config.directory);
  } catch (cause) {
    throw new GamekeeperError(
      'invalid_state',
      `The folder of "${config.id}" is missing: there is nothing to back up.`,
      {
        resolution: 'Restore a backup, or start the server once.',
        cause,
      },
    );
  }
}
