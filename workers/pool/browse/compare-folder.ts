import type { FileDifference, FileDifferences } from '../../../shared/schema/backup-files.ts';
import type { FileKind } from '../../../shared/schema/files.ts';
import { isOf, notInBackup } from '../extract/choose.ts';
import type { OpenZip } from '../extract/open-archive.ts';
import type { CompareTodayTask } from '../task-types.ts';
import { createExclusion } from '../tree/exclusion.ts';
import type { SourceEntry } from '../tree/walk.ts';
import { checkedEntries, KINDS, modifiedAt } from './entries.ts';
import { type TodaysFiles, todaysFiles } from './todays-files.ts';

/** Bytes of today's files that one answer may read, so that it takes seconds. */
const MOST_READ_BYTES = 256 * 1024 * 1024;

interface Side {
  kind: FileKind;
  sizeBytes: number;
  modifiedAt: string;
}

interface InBackup extends Side {
  crc32: number;
}

/**
 * Compares a file or folder of an archive with what the instance's folder has today: by kind, size and CRC-32. A folder that only one side has
 * stands for all that is in it. What backups exclude does not count as added. Throws `file_not_found` if neither side has the path.
 */
export async function compareWithToday(
  archive: OpenZip,
  task: Omit<CompareTodayTask, 'archive'>,
): Promise<FileDifferences> {
  const { path, folder, exclude, after, limit } = task;
  const before = await backedUpFiles(archive, task);
  const today = todaysFiles(folder, path);
  if (path !== '' && before.size === 0 && today.entries.size === 0) throw notInBackup(path);
  const excluded = createExclusion(exclude);
  const names = [...new Set([...before.keys(), ...today.entries.keys()])].sort();
  const differences: FileDifference[] = [];
  /** Folders on one side only. */
  const oneSided = new Set<string>();
  let toRead = MOST_READ_BYTES;
  for (const [index, name] of names.entries()) {
    const sides = { before: before.get(name), today: today.entries.get(name) };
    if (oneSided.has(name.slice(0, Math.max(0, name.lastIndexOf('/'))))) {
      oneSided.add(name);
      continue;
    }
    if (changesKind(sides)) oneSided.add(name);
    if (after !== undefined && name <= after) continue;
    if (!sides.before && excluded(name) !== undefined) continue;
    if (sides.today?.kind === 'file') toRead -= sides.today.size;
    const change = await changeOf(sides, today);
    if (change) differences.push({ path: name, change, ...shown(sides) });
    if ((differences.length === limit || toRead < 0) && index < names.length - 1) return { differences, next: name };
  }
  return { differences };
}

async function backedUpFiles(
  archive: OpenZip,
  { path, sourceBytes }: Pick<CompareTodayTask, 'path' | 'sourceBytes'>,
): Promise<Map<string, InBackup>> {
  const found = new Map<string, InBackup>();
  for await (const planned of checkedEntries(archive, sourceBytes)) {
    const { name, kind, entry } = planned;
    if (path !== '' && !isOf(path, name)) continue;
    const at = modifiedAt(planned);
    found.set(name, {
      ...{ kind: KINDS[kind], modifiedAt: at, crc32: entry.crc32 },
      sizeBytes: kind === 'file' ? entry.uncompressedSize : 0,
    });
    // Folders need no entry of their own.
    for (
      let slash = name.lastIndexOf('/');
      slash > path.length - 1 && slash > 0;
      slash = name.lastIndexOf('/', slash - 1)
    ) {
      const above = name.slice(0, slash);
      if (found.has(above)) break;
      found.set(above, { kind: 'folder', sizeBytes: 0, modifiedAt: at, crc32: 0 });
    }
  }
  return found;
}

interface Sides {
  before: InBackup | undefined;
  today: SourceEntry | undefined;
}

/** True if what is below a folder need not be compared. */
function changesKind({ before, today }: Sides): boolean {
  return !(before && today) || before.kind !== KINDS[today.kind];
}

async function changeOf({ before, today }: Sides, files: TodaysFiles): Promise<FileDifference['change'] | undefined> {
  if (!before) return 'added';
  if (!today) return 'removed';
  if (before.kind !== KINDS[today.kind]) return 'changed';
  if (today.kind === 'directory') return undefined;
  if (today.kind === 'file' && today.size !== before.sizeBytes) return 'changed';
  const checksum = await files.checksum(today);
  return checksum === before.crc32 ? undefined : 'changed';
}

function shown({ before, today }: Sides): Pick<FileDifference, 'backup' | 'today'> {
  return {
    ...(before && { backup: { kind: before.kind, sizeBytes: before.sizeBytes, modifiedAt: before.modifiedAt } }),
    ...(today && { today: sideOf(today) }),
  };
}

function sideOf(entry: SourceEntry): Side {
  const sizeBytes = entry.kind === 'file' ? entry.size : 0;
  return { kind: KINDS[entry.kind], sizeBytes, modifiedAt: entry.modified.toISOString() };
}
