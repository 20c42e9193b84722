import { closeSync, futimesSync, openSync, writeSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { withStorageError } from '../../../shared/node/files/disk-space.ts';
import { PACK_INDEX, PACK_INDEX_BYTES, type PeekResult, type PeekTask, WORLD_NAME } from '../task-types.ts';
import type { PlannedEntry } from './archive-plan.ts';
import { type OpenArchive, openArchive, strangersRules } from './open-archive.ts';

/** The deepest file needed is `libraries/net/neoforged/neoforge/<build>/unix_args.txt`, with one folder around everything. */
const MOST_LEVELS = 7;
/** Enough: worlds and mods have more files, but they lie deeper. */
const MOST_ENTRIES = 20_000;
/** Read from settings, scripts and logs, whose beginning is enough. */
const HEAD_BYTES = 256 * 1024;
/** Modpacks have jars of some ten megabytes beside the server's own. */
const MOST_BYTES = 1024 * 1024 * 1024;

const ENOUGH = Symbol('enough');

/**
 * Unpacks into a new folder only the parts that show which server an archive contains: the jars at the top and the index of a modpack
 * completely, the beginning of other files near the top and of argument files, and the names of the rest. Throws `backup_damaged` like an inspection.
 */
export async function peek({ archive: file, target }: PeekTask): Promise<PeekResult> {
  const handle = await open(file, 'r');
  try {
    const archive = await openArchive(handle, strangersRules());
    const root = commonFolder(archive.entries);
    await mkdir(target, { mode: 0o700 });
    let bytes = 0;
    for (const entry of shallowFirst(archive.entries).slice(0, MOST_ENTRIES)) {
      const place = path.join(target, entry.name);
      await mkdir(entry.kind === 'directory' ? place : path.dirname(place), { recursive: true, mode: 0o700 });
      if (entry.kind !== 'file') continue;
      const most = Math.min(bytesOf(entry.name.slice(root.length)), MOST_BYTES - bytes);
      bytes += await writeHead(archive, entry, { place, most });
    }
    return { folder: path.join(target, root) };
  } catch (error) {
    throw withStorageError(error, 'what an archive holds');
  } finally {
    await handle.close();
  }
}

/** Returns how many bytes of a file to unpack. `name` is relative to the server's folder. */
function bytesOf(name: string): number {
  const levels = levelsOf(name);
  if (levels === 1 && /\.jar$/i.test(name)) return Number.POSITIVE_INFINITY;
  // One byte more than allowed, so that a longer one is noticed.
  if (name === PACK_INDEX) return PACK_INDEX_BYTES + 1;
  return levels <= 2 || /_args\.txt$/.test(name) ? HEAD_BYTES : 0;
}

/** Writes the beginning of a file; returns its length. */
async function writeHead(
  archive: OpenArchive,
  entry: PlannedEntry,
  { place, most }: { place: string; most: number },
): Promise<number> {
  const descriptor = openSync(place, 'wx', 0o600);
  let written = 0;
  try {
    if (most > 0) {
      await archive.read(entry, (chunk) => {
        const end = Math.min(chunk.length, most - written);
        for (let done = 0; done < end; ) done += writeSync(descriptor, chunk, done, end - done);
        written += end;
        if (written >= most) throw ENOUGH;
      });
    }
  } catch (error) {
    if (error !== ENOUGH) throw error;
  } finally {
    // Recognition prefers the newest of several candidates.
    futimesSync(descriptor, entry.modified, entry.modified);
    closeSync(descriptor);
  }
  return written;
}

/** Returns the single top-level folder that contains everything, with a trailing slash, or ''. Many ZIP files have one. */
function commonFolder(entries: readonly PlannedEntry[]): string {
  const tops = new Set(entries.map(({ name }) => name.split('/', 1).join()));
  const [top = ''] = tops;
  const isFolder = entries.some(
    ({ name, kind }) => name.startsWith(`${top}/`) || (name === top && kind === 'directory'),
  );
  return tops.size === 1 && isFolder && !WORLD_NAME.test(top) ? `${top}/` : '';
}

function shallowFirst(entries: readonly PlannedEntry[]): PlannedEntry[] {
  return entries
    .map((entry) => ({ entry, levels: levelsOf(entry.name) }))
    .filter(({ levels }) => levels <= MOST_LEVELS)
    .sort((one, other) => one.levels - other.levels)
    .map(({ entry }) => entry);
}

function levelsOf(name: string): number {
  return name.split('/').length;
}
