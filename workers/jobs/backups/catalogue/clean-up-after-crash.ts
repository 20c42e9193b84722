import path from 'node:path';
import { isMissing } from '../../../../shared/node/files/is-missing.ts';
import type { BackupParts } from '../backup-parts.ts';
import { removeFiles } from '../remove-backup.ts';
import { ENCRYPTED_SUFFIX } from '../replication/encrypted-copies.ts';
import { needsEncrypted } from '../replication/replicate.ts';
import { isResumable } from '../restore/downloads.ts';
import type { CatalogueEntry } from './catalogue.ts';
import { manifestOf, writeManifest } from './manifest.ts';

/**
 * Makes catalogue and disk agree after this process, or the machine, has died in the middle of something: an archive that got its name
 * is a backup, one that did not is removed, one that was to be deleted is, and of what was there only for a while only that stays which a
 * copy on its way still needs, and the beginning of a download that may be gone on with. For the start, before any work.
 */
export async function sweep(
  directory: string | undefined,
  parts: Pick<BackupParts, 'catalogue' | 'files' | 'encrypted' | 'replicas' | 'scratch' | 'now'>,
): Promise<void> {
  const { catalogue, files, scratch } = parts;
  await scratch.sweep();
  for (const entry of catalogue.unfinished()) {
    const archive = files.pathOf(entry);
    if (entry.state === 'writing' && !(await isMissing(archive))) {
      catalogue.publish(entry);
    } else {
      await removeFiles(archive, parts);
      catalogue.remove(entry);
    }
  }
  const kept = catalogue.all();
  const needed = new Set(kept.flatMap((entry) => encryptedFiles(entry, parts)));
  const isNeeded = async (file: string) => needed.has(file) || (await isResumable(file, parts.now()));
  // Archives stay where they were made when the settings name another folder, `<folder>/<instance>/<archive>`.
  const former = kept.map((entry) => path.dirname(path.dirname(files.pathOf(entry))));
  await files.removeTemporaries({ directory, former }, isNeeded);
  for (const entry of kept) await addManifest(entry, parts);
}

function encryptedFiles(entry: CatalogueEntry, parts: Pick<BackupParts, 'files' | 'replicas'>): string[] {
  if (!needsEncrypted(entry, parts)) return [];
  const file = parts.files.pathOf(entry) + ENCRYPTED_SUFFIX;
  return [file, `${file}.json`];
}

/** Backups of earlier versions have none. */
async function addManifest(entry: CatalogueEntry, { files }: Pick<BackupParts, 'files'>): Promise<void> {
  const archive = files.pathOf(entry);
  if (!(await isMissing(archive)) && (await isMissing(manifestOf(archive)))) await writeManifest(archive, entry);
}
