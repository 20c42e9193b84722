import { rename } from 'node:fs/promises';
import path from 'node:path';
import { syncDirectory } from '../../../shared/node/files/atomic-file.ts';
import type { Catalogue, NewEntry } from './catalogue/catalogue.ts';
import { writeManifest } from './catalogue/manifest.ts';

export interface Publication {
  entry: NewEntry;
  /** The archive under its temporary name, already synced to disk. */
  partial: string;
  archive: string;
  copyTo: readonly string[];
}

/**
 * Publishes a finished archive. The order matters: the catalogue row (`writing`) comes first and the rename second, so after a crash
 * clean-up-after-crash.ts can tell a published archive from an unpublished one; the row becomes `ready` once the rename is on disk.
 */
export async function publishBackup(
  { entry, partial, archive, copyTo }: Publication,
  catalogue: Catalogue,
): Promise<void> {
  catalogue.add(entry, copyTo);
  await writeManifest(archive, entry);
  await rename(partial, archive);
  await syncDirectory(path.dirname(archive));
  catalogue.publish(entry);
}
