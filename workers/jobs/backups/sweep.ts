import { access, rm } from 'node:fs/promises';
import type { ArchiveFiles } from './archive-files.ts';
import type { Catalogue } from './catalogue.ts';

/**
 * Makes catalogue and disk agree after this process, or the machine, has died in the middle of something: an archive that got its name
 * is a backup, one that did not is removed, one that was to be deleted is. For the start, before any work.
 */
export async function sweep({
  catalogue,
  files,
  directory,
}: {
  catalogue: Catalogue;
  files: ArchiveFiles;
  /** The configured backups folder. */
  directory: string | undefined;
}): Promise<void> {
  await files.removePartials(directory);
  for (const entry of catalogue.unfinished()) {
    const archive = files.pathOf(entry);
    if (entry.state === 'writing' && (await exists(archive))) {
      catalogue.publish(entry);
    } else {
      await rm(archive, { force: true });
      catalogue.remove(entry);
    }
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    // Whatever stands in the way, there is no archive that could be used.
    () => false,
  );
}
