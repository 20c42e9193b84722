import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { PlannedEntry } from '../extract/archive-plan.ts';
import { isOf, notInBackup } from '../extract/choose.ts';
import { damaged } from '../extract/damaged.ts';
import type { OpenZip } from '../extract/open-archive.ts';
import { checkedEntries, isInTheWay, requireFolderAbove } from './entries.ts';

/** Finds one file. Throws `file_not_found`, `invalid_path` for anything but a file, and `backup_damaged`. */
export async function findFile(archive: OpenZip, path: string, sourceBytes: number): Promise<PlannedEntry> {
  let found: PlannedEntry | undefined;
  let above: PlannedEntry | undefined;
  let isFolder = path === '';
  for await (const entry of checkedEntries(archive, sourceBytes)) {
    if (entry.name.startsWith(`${path}/`)) isFolder = true;
    if (isInTheWay(entry, path)) above = entry;
    if (entry.name !== path) continue;
    if (found) throw damaged(`It contains "${path}" twice.`);
    found = entry;
  }
  if (found && isFolder && found.kind !== 'directory')
    throw damaged(`"${path}" is not a folder, but has entries in it.`);
  if (isFolder || found?.kind === 'directory') throw notFile(path, 'a folder');
  if (!found) throw notInBackup(path);
  requireFolderAbove(above);
  if (found.kind === 'link') throw notFile(path, 'a link, which is never followed');
  return found;
}

/** Throws `file_not_found` unless the archive has all of these files and folders. */
export async function requirePaths(archive: OpenZip, paths: readonly string[], sourceBytes: number): Promise<void> {
  const missing = new Set(paths);
  for await (const { name } of checkedEntries(archive, sourceBytes))
    for (const path of missing) if (isOf(path, name)) missing.delete(path);
  for (const path of missing) throw notInBackup(path);
}

function notFile(path: string, what: string): GamekeeperError {
  return new GamekeeperError('invalid_path', `"${path}" is ${what} in this backup.`, {
    resolution: 'Use the path of a file.',
  });
}
