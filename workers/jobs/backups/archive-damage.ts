import { GamekeeperError, isGamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { isMissing } from '../../../shared/node/files/is-missing.ts';
import type { BackupStorage } from './backup-storage.ts';
import type { CatalogueEntry } from './catalogue/catalogue.ts';

/** True if the error means that an archive, or a copy of it, differs from what was written. */
export function isDamage(error: unknown): error is GamekeeperError {
  return isGamekeeperError(error, 'backup_damaged');
}

/** Returns what is wrong with an archive that is no backup, as a sentence. */
export function whatIsDamaged({ message }: GamekeeperError): string {
  return message.replace(/^The backup is damaged\. /, '');
}

/** Throws `backup_damaged` if the archive is missing. */
export async function requireArchive(entry: CatalogueEntry, { files }: Pick<BackupStorage, 'files'>): Promise<void> {
  if (await isMissing(files.pathOf(entry))) throw missingArchive();
}

/** Throws `backup_damaged` if the archive is missing and no store ever had a copy. */
export async function requireArchiveOrCopy(
  entry: CatalogueEntry,
  { files, replicas }: Pick<BackupStorage, 'files' | 'replicas'>,
): Promise<void> {
  if (!replicas.of(entry).some(({ replicatedAt }) => replicatedAt !== null)) await requireArchive(entry, { files });
}

export function missingArchive(): GamekeeperError {
  return new GamekeeperError('backup_damaged', 'The archive of the backup is missing from the backups folder.');
}
