import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { FileEntry, FileList } from '../../../shared/schema/files.ts';
import type { PlannedEntry } from '../extract/archive-plan.ts';
import { notInBackup } from '../extract/choose.ts';
import { damaged } from '../extract/damaged.ts';
import { nameKey } from '../extract/entry-name.ts';
import { type OpenZip, ownArchiveRules } from '../extract/open-archive.ts';
import type { ListEntriesTask } from '../task-types.ts';
import { checkedEntries, isInTheWay, KINDS, requireFolderAbove, modifiedAt as timeOf } from './entries.ts';

/** A folder may have no entry of its own. It is as old as the newest entry in it. */
interface Listed extends FileEntry {
  implied: boolean;
}

/** Lists one page of one folder: folders first, then by name. Throws `file_not_found`, `invalid_path` for a file, `backup_damaged`. */
export async function listFolder(archive: OpenZip, task: Omit<ListEntriesTask, 'archive'>): Promise<FileList> {
  const { path, skip, limit, sourceBytes } = task;
  const listed = new Map<string, Listed>();
  const rules = ownArchiveRules(sourceBytes);
  const prefix = path === '' ? '' : `${path}/`;
  let exists = path === '';
  let above: PlannedEntry | undefined;
  for await (const entry of checkedEntries(archive, sourceBytes)) {
    if (isInTheWay(entry, path)) above = entry;
    if (entry.name === path) {
      if (entry.kind !== 'directory') throw notFolder(path);
      exists = true;
    }
    if (!entry.name.startsWith(prefix) || entry.name === path) continue;
    exists = true;
    const next = childOf(entry, prefix);
    const key = nameKey(next.name, rules);
    listed.set(key, merged(listed.get(key), next));
  }
  if (!exists) throw notInBackup(path);
  requireFolderAbove(above);
  const entries = [...listed.values()].sort(byKindAndName);
  const page = entries.slice(skip, skip + limit).map(({ implied: _, ...entry }) => entry);
  return { entries: page, ...(entries.length > skip + limit && { next: String(skip + limit) }) };
}

function childOf(planned: PlannedEntry, prefix: string): Listed {
  const { name, kind, entry } = planned;
  const rest = name.slice(prefix.length);
  const slash = rest.indexOf('/');
  const modifiedAt = timeOf(planned);
  if (slash !== -1) return { name: rest.slice(0, slash), kind: 'folder', sizeBytes: 0, modifiedAt, implied: true };
  const sizeBytes = kind === 'file' ? entry.uncompressedSize : 0;
  return { name: rest, kind: KINDS[kind], sizeBytes, modifiedAt, implied: false };
}

function merged(one: Listed | undefined, other: Listed): Listed {
  if (!one) return other;
  if (!(one.implied || other.implied)) throw damaged(`It contains "${other.name}" twice.`);
  if (one.kind !== 'folder' || other.kind !== 'folder')
    throw damaged(`"${other.name}" is not a folder, but has entries in it.`);
  if (!one.implied) return one;
  return other.implied && other.modifiedAt < one.modifiedAt ? one : other;
}

function byKindAndName(one: FileEntry, other: FileEntry): number {
  const rank = ({ kind }: FileEntry) => (kind === 'folder' ? 0 : 1);
  return rank(one) - rank(other) || (one.name < other.name ? -1 : 1);
}

function notFolder(path: string): GamekeeperError {
  return new GamekeeperError('invalid_path', `"${path}" is not a folder in this backup.`, {
    resolution: 'List the folder above it, or read the file with .../files/content.',
  });
}
