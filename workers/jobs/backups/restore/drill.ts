import { chmod, mkdir } from 'node:fs/promises';
import { GamekeeperError, toCodedFailure } from '../../../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../../../shared/node/logger.ts';
import type { DrillResult } from '../../../../shared/schema/backup.ts';
import type { JobRun } from '../../queue/job-entry.ts';
import type { Pool } from '../../resources/pool.ts';
import { randomHex } from '../../resources/random-hex.ts';
import type { Scratch } from '../../resources/scratch.ts';
import type { BackupStorage } from '../backup-storage.ts';
import type { RestoreOrder } from './restore.ts';
import { swapPlace } from './swap-place.ts';
import { planUnpacking } from './unpack-backup.ts';

const KEY_DIGITS = 12;

export interface DrillOptions {
  storage: BackupStorage;
  pool: Pool;
  scratch: Scratch;
  log: Logger;
}

/**
 * Rehearses a restore: unpacks the backup beside the server's folder, where a restore would, reads every file back, compares it with its
 * checksum, and removes everything again. The server may run meanwhile. Records the result in the catalogue. Throws the error with which a
 * restore would have failed.
 */
export async function drillRestore(order: RestoreOrder, run: JobRun, options: DrillOptions): Promise<void> {
  const { catalogue } = options.storage;
  const begun = new Date();
  const result = (rest: Pick<DrillResult, 'ok' | 'fileCount' | 'error'>): DrillResult => ({
    at: begun.toISOString(),
    durationMs: Date.now() - begun.getTime(),
    ...rest,
  });
  try {
    const fileCount = await rehearse(order, run, options);
    catalogue.note(order.entry, { lastDrill: result({ ok: true, fileCount }) });
  } catch (error) {
    // A cancelled drill proves nothing.
    if (!run.signal.aborted)
      catalogue.note(order.entry, { lastDrill: result({ ok: false, error: toCodedFailure(error).detail }) });
    throw error;
  }
}

async function rehearse({ config, entry }: RestoreOrder, run: JobRun, options: DrillOptions): Promise<number> {
  const { storage, pool } = options;
  const unpack = await planUnpacking({ entry }, run, options);
  const comparing = run.phase(entry.sourceBytes);
  const { staging, scratch, whole } = await swapPlace(config.directory, randomHex(KEY_DIGITS));
  return options.scratch.use(scratch, async () => {
    if (!whole) await mkdir(scratch, { mode: 0o700 });
    await unpack(staging, run.signal);
    await chmod(staging, 0o700);
    const archive = storage.files.pathOf(storage.catalogue.get(entry));
    const task = {
      archive,
      folder: staging,
      sourceBytes: entry.sourceBytes,
      progress: comparing.progress.memory,
    };
    const { fileCount } = await pool.run('compare', task, run.signal);
    if (fileCount !== entry.fileCount)
      throw new GamekeeperError('backup_damaged', 'The unpacked folder does not hold all files of the backup.');
    return fileCount;
  });
}
