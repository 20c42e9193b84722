import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { isMissing } from '../../../shared/node/files/is-missing.ts';
import type { BackupParts } from './backup-parts.ts';
import type { CatalogueEntry } from './catalogue/catalogue.ts';

/** Throws `backup_damaged` when somebody has taken the archive away. */
export async function requireArchive(entry: CatalogueEntry, { files }: Pick<BackupParts, 'files'>): Promise<void> {
  if (await isMissing(files.pathOf(entry))) throw missingArchive();
}

/** Throws `backup_damaged` where there is neither the archive nor a copy to look at. */
export async function requireAnything(
  entry: CatalogueEntry,
  { files, replicas }: Pick<BackupParts, 'files' | 'replicas'>,
): Promise<void> {
  if (!replicas.of(entry).some(({ replicatedAt }) => replicatedAt !== null)) await requireArchive(entry, { files });
}

export function missingArchive(): GamekeeperError {
  return new GamekeeperError('backup_damaged', 'The archive of the backup is missing from the backups folder.');
}
