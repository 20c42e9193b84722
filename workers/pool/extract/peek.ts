import { closeSync, futimesSync, openSync, writeSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { withStorageError } from '../../../shared/node/files/disk-space.ts';
import { type PeekResult, type PeekTask, WORLD_NAME } from '../task-types.ts';
import type { PlannedEntry } from './archive-plan.ts';
import { type OpenArchive, openArchive, strangersRules } from './open-archive.ts';

/** Nothing deeper says what a server is: `libraries/net/neoforged/neoforge/<build>/unix_args.txt`, with a folder around all of it. */
const MOST_LEVELS = 7;
/** Worlds and mods have more files than this; what tells what a server is lies above them. */
const MOST_ENTRIES = 20_000;
/** So much of a file is read where only its beginning is of interest: settings, scripts, a log. */
const HEAD_BYTES = 256 * 1024;
/** Modpacks have jars of some ten megabytes beside the server's own. */
const MOST_BYTES = 1024 * 1024 * 1024;

/** Thrown through a reader once there is enough. */
const ENOUGH = Symbol('enough');

/**
 * Unpacks into a new folder only what tells which server an archive holds: whole the jars beside each other at the top, of other files near
 * the top and of files of arguments the beginning, and of the rest the names. Throws `backup_damaged` as an inspection does.
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

/** How much of a file counts. `name` is relative to the server's folder. */
function bytesOf(name: string): number {
  const levels = levelsOf(name);
  if (levels === 1 && /\.jar$/i.test(name)) return Number.POSITIVE_INFINITY;
  return levels <= 2 || /_args\.txt$/.test(name) ? HEAD_BYTES : 0;
}

/** Writes the beginning of a file; returns how long that was. */
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
    // Of several that would do, the newest is taken.
    futimesSync(descriptor, entry.modified, entry.modified);
    closeSync(descriptor);
  }
  return written;
}

/** With a slash behind it: the one folder that holds everything, as many a ZIP has it. Empty where there is none. */
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
