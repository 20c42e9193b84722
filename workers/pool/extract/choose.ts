import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { OpenArchive } from './open-archive.ts';

/** Returns an archive with only these files and folders, and the folders above them. Throws `file_not_found` if one is missing. */
export function chooseFrom(archive: OpenArchive, paths: readonly string[]): OpenArchive {
  const missing = new Set(paths);
  const entries = archive.entries.filter(({ name, kind }) => {
    const wanted = paths.filter((path) => isOf(path, name));
    for (const path of wanted) missing.delete(path);
    return wanted.length > 0 || (kind === 'directory' && paths.some((path) => path.startsWith(`${name}/`)));
  });
  for (const path of missing) throw notInBackup(path);
  const bytes = entries.reduce((sum, { kind, entry }) => sum + (kind === 'file' ? entry.uncompressedSize : 0), 0);
  return { ...archive, entries, bytes };
}

/** Returns true if an entry is at this path, or in the folder there. */
export function isOf(path: string, name: string): boolean {
  return name === path || name.startsWith(`${path}/`);
}

export function notInBackup(path: string): GamekeeperError {
  return new GamekeeperError('file_not_found', `This backup has no file or folder "${path}".`, {
    resolution: 'List the files of the backup at GET /instances/{id}/backups/{backupId}/files.',
  });
}
