import { readdir } from 'node:fs/promises';
import { isOwnName } from '../../../shared/domain/files/file-path.ts';
import { nameOf } from '../../../shared/node/files/file-name.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import type { FileEntry, FileList, FileSort, SortOrder } from '../../../shared/schema/files.ts';
import { entryOf, kindOf, statAt } from './entry.ts';
import { explained, invalidPath, requirePath } from './file-error.ts';
import { compareListed, type Listed, pageAfter } from './list-page.ts';
import { createTurns } from './turns.ts';

export interface ListOptions {
  sort: FileSort;
  order: SortOrder;
  limit: number;
  /** `next` of the page before. */
  cursor?: string | undefined;
}

/**
 * Returns a page of what is in a folder: folders first, links not followed. `root` is the instance's folder, links resolved. Throws
 * `file_not_found`, and `invalid_path` for anything but a folder.
 */
export async function listFolder(
  root: string,
  path: string,
  { sort, order, limit, cursor: encoded }: ListOptions,
  signal: AbortSignal,
): Promise<FileList> {
  requirePath(path);
  return explained(path, async () => {
    using cursor = new TreeCursor(root);
    const place = cursor.enter(path);
    const found = await readdir(place, { withFileTypes: true, encoding: 'buffer' });
    const turns = createTurns(signal);
    const listed: Listed[] = [];
    for (const entry of found) {
      await turns.next();
      const name = nameOf(entry.name);
      if (path === '' && isOwnName(name)) continue;
      const value = sort === 'name' ? name.toLowerCase() : sortValue(`${place}/${name}`, sort);
      if (value !== undefined) listed.push({ name, isFolder: kindOf(entry) === 'folder', value });
    }
    const from = encoded === undefined ? undefined : readCursor(path, encoded);
    const page = pageAfter(listed, { after: from, limit: limit + 1, compare: compareListed(order) });
    const shown = page.slice(0, limit);
    const entries = shown.flatMap(({ name }): FileEntry[] => {
      const stats = statAt(`${place}/${name}`);
      return stats ? [entryOf(name, stats)] : []; // vanished meanwhile
    });
    const last = shown.at(-1);
    return { entries, ...(page.length > limit && last && { next: cursorOf(last) }) };
  });
}

/** `undefined` if it has vanished. */
function sortValue(place: string, sort: 'size' | 'modified'): number | undefined {
  const stats = statAt(place);
  if (!stats) return undefined;
  return sort === 'modified' ? Number(stats.mtimeMs) : stats.isFile() ? Number(stats.size) : 0;
}

function cursorOf({ name, isFolder, value }: Listed): string {
  return Buffer.from(JSON.stringify([name, isFolder, value])).toString('base64url');
}

function readCursor(path: string, encoded: string): Listed {
  try {
    const [name, isFolder, value] = JSON.parse(Buffer.from(encoded, 'base64url').toString()) as unknown[];
    if (typeof name === 'string' && typeof isFolder === 'boolean' && ['string', 'number'].includes(typeof value))
      return { name, isFolder, value: value as string | number };
  } catch {
    // not made by cursorOf
  }
  throw invalidPath(path, 'has no page for this "cursor"');
}
