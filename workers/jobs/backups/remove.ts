import { rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { ArchiveFiles } from './archive-files.ts';
import type { BackupKey, Catalogue } from './catalogue.ts';

/** Deletes a backup and its archive. Throws `backup_not_found`. */
export async function removeBackup(
  key: BackupKey,
  { catalogue, files }: { catalogue: Catalogue; files: ArchiveFiles },
): Promise<void> {
  const archive = files.pathOf(catalogue.get(key));
  catalogue.retract(key);
  await rm(archive, { force: true });
  catalogue.remove(key);
  // The instance's own folder goes with its last archive.
  await rmdir(path.dirname(archive)).catch(() => undefined);
}
