import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { VerifyResult } from '../../pool/task-types.ts';
import type { JobRun } from '../job-entry.ts';
import type { ArchiveFiles } from './archive-files.ts';
import type { BackupParts } from './backup-parts.ts';
import type { CatalogueEntry } from './catalogue.ts';
import { isMissing } from './is-missing.ts';

/** Reads the whole archive: its hash, its structure, and every file's checksum. Throws `backup_damaged` when it is not even there. */
export async function verifyBackup(
  entry: CatalogueEntry,
  run: JobRun,
  { files, pool }: Pick<BackupParts, 'files' | 'pool'>,
): Promise<VerifyResult> {
  await requireArchive(entry, files);
  const { sha256, sourceBytes } = entry;
  return pool.run(
    'verify',
    {
      archive: files.pathOf(entry),
      sha256,
      sourceBytes,
      progress: run.phase(entry.sizeBytes + sourceBytes).progress.memory,
    },
    run.signal,
  );
}

/** Throws `backup_damaged` when somebody has taken the archive away. */
export async function requireArchive(entry: CatalogueEntry, files: ArchiveFiles): Promise<void> {
  if (await isMissing(files.pathOf(entry)))
    throw new GamekeeperError('backup_damaged', 'The archive of the backup is missing from the backups folder.');
}
