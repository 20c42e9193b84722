import { chmod, mkdir } from 'node:fs/promises';
import { GamekeeperError, toCodedFailure } from '../../../../shared/errors/gamekeeper-error.ts';
import type { DrillResult } from '../../../../shared/schema/backup.ts';
import type { InstanceConfig } from '../../../../shared/schema/instance.ts';
import type { JobRun } from '../../queue/job-entry.ts';
import type { BackupParts } from '../backup-parts.ts';
import type { CatalogueEntry } from '../catalogue/catalogue.ts';
import { swapPlace } from './swap-place.ts';
import { planUnpacking } from './unpack-backup.ts';

const KEY_DIGITS = 12;

export interface DrillOrder {
  config: InstanceConfig;
  entry: CatalogueEntry;
}

/**
 * A restore without the last step: the backup is unpacked where a restore would unpack it, beside the server's folder, which may be in use
 * meanwhile; every file is read back from there and compared with its checksum; then all of it is removed. The result is put on record.
 * Throws what a restore would have failed with.
 */
export async function drillRestore(order: DrillOrder, run: JobRun, parts: BackupParts): Promise<void> {
  const begun = parts.now();
  const result = (rest: Pick<DrillResult, 'ok' | 'fileCount' | 'error'>): DrillResult => ({
    at: begun.toISOString(),
    durationMs: parts.now().getTime() - begun.getTime(),
    ...rest,
  });
  try {
    const fileCount = await rehearse(order, run, parts);
    parts.catalogue.note(order.entry, { lastDrill: result({ ok: true, fileCount }) });
  } catch (error) {
    // That somebody cancelled it says nothing about the backup.
    if (!run.signal.aborted)
      parts.catalogue.note(order.entry, { lastDrill: result({ ok: false, error: toCodedFailure(error).detail }) });
    throw error;
  }
}

async function rehearse({ config, entry }: DrillOrder, run: JobRun, parts: BackupParts): Promise<number> {
  const unpack = await planUnpacking(entry, run, parts);
  const comparing = run.phase(entry.sourceBytes);
  const { staging, scratch, whole } = await swapPlace(config.directory, parts.randomHex(KEY_DIGITS));
  return parts.scratch.use(scratch, async () => {
    if (!whole) await mkdir(scratch, { mode: 0o700 });
    await unpack(staging, run.signal);
    await chmod(staging, 0o700);
    const archive = parts.files.pathOf(parts.catalogue.get(entry));
    const { sourceBytes } = entry;
    const { fileCount } = await parts.pool.run(
      'compare',
      { archive, folder: staging, sourceBytes, progress: comparing.progress.memory },
      run.signal,
    );
    if (fileCount !== entry.fileCount)
      throw new GamekeeperError('backup_damaged', 'Not all files of the backup came out of it.');
    return fileCount;
  });
}
