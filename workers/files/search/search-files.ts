import { splitFilePath } from '../../../shared/domain/files/file-path.ts';
import { createGlob } from '../../../shared/domain/files/glob.ts';
import { isGamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { FileMatch, FileSearch } from '../../../shared/schema/files.ts';
import { entryOf, statAt } from '../folder/entry.ts';
import { requirePath } from '../folder/file-error.ts';
import { openOrdinary } from '../folder/open-file.ts';
import { type Walked, walkFolder } from '../folder/walk-folder.ts';
import { linesWith } from './lines-with.ts';

/** Where a search stops. */
export interface SearchLimits {
  /** Files and folders that are looked at. */
  entries: number;
  /** Bytes that are read. */
  bytes: number;
  milliseconds: number;
}

const LIMITS: SearchLimits = { entries: 500_000, bytes: 512 * 1024 * 1024, milliseconds: 20_000 };
/** Of one file, so that a log does not hide all others. */
const MOST_LINES_OF_A_FILE = 20;

export interface Search {
  path: string;
  /** Part of the name, or a glob (shared/domain/files/glob.ts). Case does not matter. */
  name?: string | undefined;
  /** Part of a line. Case does not matter. */
  contains?: string | undefined;
  /** The most matches. */
  limit: number;
  /** Hidden, with what is named like a secret, from somebody who may only read; `undefined`: nothing is hidden. */
  secrets: readonly string[] | undefined;
}

/** Finds files by name, by content, or both. Links are not followed. Says why it stopped if it did not look at everything. */
export async function searchFiles(
  root: string,
  search: Search,
  signal: AbortSignal,
  limits: SearchLimits = LIMITS,
): Promise<FileSearch> {
  requirePath(search.path);
  const isNamed = search.name === undefined ? () => true : namedLike(search.name);
  const began = performance.now();
  const matches: FileMatch[] = [];
  const seen = { entries: 0, bytes: 0 };
  for await (const found of walkFolder(root, search.path, signal)) {
    if (++seen.entries > limits.entries || seen.bytes > limits.bytes) return { matches, stoppedBy: 'size' };
    if (performance.now() - began > limits.milliseconds) return { matches, stoppedBy: 'time' };
    if (!isNamed(found.path)) continue;
    const match = search.contains === undefined ? matchOf(found) : await matchInside(found, search, { seen, signal });
    if (!match) continue;
    if (matches.length === search.limit) return { matches, stoppedBy: 'limit' };
    matches.push(match);
  }
  return { matches };
}

/** Without wildcards, a part of the name is enough; with a slash, it is the whole path that counts. */
function namedLike(name: string): (path: string) => boolean {
  const wanted = name.toLowerCase();
  const part = (path: string) => (wanted.includes('/') ? path : splitFilePath(path).name).toLowerCase();
  if (!/[*?]/.test(wanted)) return (path) => part(path).includes(wanted);
  const glob = createGlob(wanted);
  return (path) => glob(part(path));
}

/** `undefined` for what has vanished. */
function matchOf({ path, place }: Walked): FileMatch | undefined {
  const stats = statAt(place);
  if (!stats) return undefined;
  const { name, ...facts } = entryOf(path, stats);
  return { path: name, ...facts };
}

/** `undefined` if no line contains what is wanted, and for what cannot be read or is no file by now. */
async function matchInside(
  found: Walked,
  { contains = '', secrets }: Search,
  { seen, signal }: { seen: { bytes: number }; signal: AbortSignal },
): Promise<FileMatch | undefined> {
  const { path, kind, place } = found;
  if (kind !== 'file') return undefined;
  const match = matchOf(found);
  try {
    using file = openOrdinary(place, path);
    const wanted = { contains, secrets, most: MOST_LINES_OF_A_FILE };
    const { lines, bytes } = await linesWith({ descriptor: file.descriptor, path }, wanted, signal);
    seen.bytes += bytes;
    return match && lines.length > 0 ? { ...match, lines } : undefined;
  } catch (error) {
    if (isGamekeeperError(error, 'file_not_found', 'invalid_path', 'invalid_state')) return undefined;
    throw error;
  }
}
