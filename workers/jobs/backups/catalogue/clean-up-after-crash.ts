import path from 'node:path';
import { isMissing } from '../../../../shared/node/files/is-missing.ts';
import type { Logger } from '../../../../shared/node/logger.ts';
import type { BackupStorage } from '../backup-storage.ts';
import { removeFiles } from '../remove-backup.ts';
import { ENCRYPTED_SUFFIX } from '../replication/encrypted-copies.ts';
import { needsEncrypted } from '../replication/replicate.ts';
import { isResumable } from '../restore/downloads.ts';
import type { CatalogueEntry, UnfinishedEntry } from './catalogue.ts';
import { manifestOf, writeManifest } from './manifest.ts';

/**
 * Makes the catalogue and the disk agree after a crash of this process or the machine. An archive that got its final name is a backup; any
 * other is removed; an interrupted deletion is completed. Temporary files are removed, except encrypted copies that a store still needs and
 * downloads that can be resumed. Must run at the start, before any job. What fails, for example on a disk that is not there, is logged and
 * tried again at the next start.
 */
export async function cleanUpAfterCrash(storage: BackupStorage, log: Logger): Promise<void> {
  const { catalogue, files } = storage;
  const attempt = async ({ instanceId: instance, backupId: backup }: CatalogueEntry, work: Promise<void>) => {
    await work.catch((error: unknown) => log.error({ err: error, instance, backup }, 'could not tidy up a backup'));
  };
  for (const entry of catalogue.unfinished()) await attempt(entry, finish(entry, storage));
  const kept = catalogue.all();
  const needed = new Set(kept.flatMap((entry) => encryptedFiles(entry, storage)));
  // When `backups.directory` changes, existing archives stay in `<former>/<instance>/<archive>`.
  const former = kept.map((entry) => path.dirname(path.dirname(files.pathOf(entry))));
  const { directory } = await storage.settings();
  await files.removeTemporaries(
    { directory, former },
    {
      isNeeded: async (file) => needed.has(file) || (await isResumable(file, new Date())),
      onFailure: (error, place) => log.error({ err: error, path: place }, 'could not remove temporary files'),
    },
  );
  for (const entry of kept) await attempt(entry, addManifest(entry, storage));
}

async function finish(entry: UnfinishedEntry, storage: BackupStorage): Promise<void> {
  const { catalogue, files } = storage;
  const archive = files.pathOf(entry);
  if (entry.state === 'writing' && !(await isMissing(archive))) {
    catalogue.publish(entry);
  } else {
    await removeFiles(archive, storage);
    catalogue.remove(entry);
  }
}

function encryptedFiles(entry: CatalogueEntry, { files, replicas }: BackupStorage): string[] {
  if (!needsEncrypted(entry, replicas)) return [];
  const file = files.pathOf(entry) + ENCRYPTED_SUFFIX;
  return [file, `${file}.json`];
}

/** Adds the manifest that earlier versions did not write. */
async function addManifest(entry: CatalogueEntry, { files }: BackupStorage): Promise<void> {
  const archive = files.pathOf(entry);
  if (!(await isMissing(archive)) && (await isMissing(manifestOf(archive)))) await writeManifest(archive, entry);
}
