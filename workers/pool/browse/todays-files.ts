import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { constants, open } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { blocksOf } from '../reading/file-blocks.ts';
import { createExclusion } from '../tree/exclusion.ts';
import { type SourceEntry, walk } from '../tree/walk.ts';

const BLOCK_BYTES = 1024 * 1024;

/** What an instance's folder has today at a path and below it, by path. What a ZIP cannot contain is left out. */
export interface TodaysFiles {
  readonly entries: ReadonlyMap<string, SourceEntry>;
  /** Returns the CRC-32 of a file or of the target of a link; `undefined` if it is gone, or is another thing by now. */
  checksum(entry: SourceEntry): Promise<number | undefined>;
}

/** Follows no link: what is behind one is not there. */
export function todaysFiles(folder: string, at: string): TodaysFiles {
  const root = realpathOf(folder);
  const entries = root === undefined ? [] : entriesAt(root, at);
  return {
    entries: new Map(entries.map((entry) => [entry.name, entry])),
    async checksum(entry) {
      if (entry.kind === 'link') return crc32(entry.target);
      return root === undefined ? undefined : ifThere(() => checksumOf(root, entry.name));
    },
  };
}

function realpathOf(folder: string): string | undefined {
  try {
    return realpathSync(folder);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

function entriesAt(root: string, at: string): SourceEntry[] {
  const own = at === '' ? undefined : entryAt(root, at);
  if (own && own.kind !== 'directory') return [own];
  if (at !== '' && !own) return [];
  const below = walk(path.join(root, at), createExclusion([])).entries;
  return own ? [own, ...below.map((entry) => ({ ...entry, name: `${at}/${entry.name}` }))] : below;
}

function entryAt(root: string, name: string): SourceEntry | undefined {
  using cursor = new TreeCursor(root);
  try {
    const place = cursor.placeOf(name);
    const stats = lstatSync(place);
    const common = { name, mode: stats.mode & 0o7777, modified: stats.mtime };
    if (stats.isDirectory()) return { ...common, kind: 'directory' };
    if (stats.isFile()) return { ...common, kind: 'file', size: stats.size };
    return stats.isSymbolicLink() ? { ...common, kind: 'link', target: readlinkSync(place) } : undefined;
  } catch (error) {
    if (isElsewhere(error)) return undefined;
    throw error;
  }
}

async function checksumOf(root: string, name: string): Promise<number | undefined> {
  using cursor = new TreeCursor(root);
  // A pipe that takes the file's place must not keep this waiting.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(cursor.placeOf(name), flags);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return undefined;
    let checksum = 0;
    for await (const { bytes } of blocksOf(handle, { start: 0, end: stats.size, blockBytes: BLOCK_BYTES }))
      checksum = crc32(bytes, checksum);
    return checksum;
  } finally {
    await handle.close();
  }
}

async function ifThere<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isElsewhere(error)) return undefined;
    throw error;
  }
}

/** True if something is gone, a link or another thing has taken its place, or no file of this system can have its name. */
function isElsewhere(error: unknown): boolean {
  return hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'ENAMETOOLONG');
}
