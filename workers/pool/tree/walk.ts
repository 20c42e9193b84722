import { lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { bytesOf, nameOf } from '../../../shared/node/files/file-name.ts';
import { isInside } from '../../../shared/node/files/is-inside.ts';
import { type Owner, ownerOf } from '../../../shared/node/files/owner.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import type { Exclusion } from './exclusion.ts';
import { createOmissions, type Omissions } from './omissions.ts';
import { missingBy } from './source-file.ts';
import { withEntry } from './unreadable.ts';

/** An entry of a folder to archive or copy. Windows has no owners. */
export type SourceEntry = {
  name: string;
  mode: number;
  modified: Date;
  owner?: Owner;
} & ({ kind: 'directory' } | { kind: 'file'; size: number } | { kind: 'link'; target: string });

export interface Walk {
  /** Sorted, each folder before what is in it. */
  entries: SourceEntry[];
  bytes: number;
  /** Topmost paths that are in the folder but not in the archive, and worth keeping. Encoded as in shared/node/files/file-name.ts. */
  leftOut: string[];
  /** Names that vanished between listing and looking at them. */
  vanished: string[];
  /** What nobody excluded and is missing all the same. */
  omissions: Omissions;
  /** Links that lead out of the folder. They are entries, too. */
  outsideLinks: string[];
}

/** PATH_MAX of Linux, without the NUL: no program can name a longer path at once. Bytes. */
const MAX_NAME_BYTES = 4_095;

/**
 * Lists a folder without following links (see TreeCursor). Leaves out sockets, pipes and devices, paths longer than programs can name, and,
 * unless `any` names are allowed, what a ZIP cannot contain: names with a backslash, which every ZIP reader takes for a separator, and
 * names that are not UTF-8.
 */
export function walk(root: string, exclude: Exclusion, names: 'zip' | 'any' = 'zip'): Walk {
  const found: Walk = {
    ...{ entries: [], bytes: 0, leftOut: [], vanished: [] },
    ...{ omissions: createOmissions(), outsideLinks: [] },
  };
  using cursor = attempt('', () => new TreeCursor(root))!; // the root must exist
  /** The folders from the root to the present one, each with the names that are still to be looked at, last first. */
  const open = [{ folder: '', segments: namesIn('') }];
  for (let here = open.at(-1); here; here = open.at(-1)) {
    const segment = here.segments.pop();
    if (segment === undefined) open.pop();
    else if (look(here.folder, segment) === 'folder') {
      const folder = join(here.folder, segment);
      open.push({ folder, segments: namesIn(folder) });
    }
  }
  return found;

  function namesIn(folder: string): string[] {
    const listed = attempt(folder, () => readdirSync(cursor.enter(folder), { encoding: 'buffer' }));
    return (listed ?? []).map(nameOf).sort().reverse();
  }

  function look(folder: string, segment: string): 'folder' | undefined {
    const name = join(folder, segment);
    const excluded = exclude(name);
    if (excluded === 'ours' || (excluded === 'transient' && !isFolder(folder, segment))) return;
    if (excluded === 'unwanted') return void found.leftOut.push(name);
    if (name.length * 3 > MAX_NAME_BYTES && Buffer.byteLength(bytesOf(name)) > MAX_NAME_BYTES)
      return leaveOut(name, 'path-too-long');
    if (names === 'zip' && !(segment.isWellFormed() && !segment.includes('\\')))
      return leaveOut(name, 'unsupported-name');
    const place = attempt(name, () => `${cursor.enter(folder)}/${segment}`);
    const entry = place === undefined ? undefined : attempt(name, () => entryAt(name, place));
    if (place === undefined || entry === undefined) return;
    if (entry === 'special') return void found.leftOut.push(name);
    if (entry.kind === 'link') lookAtLink(entry, place);
    else found.entries.push(entry);
    if (entry.kind === 'file') found.bytes += entry.size;
    return entry.kind === 'directory' ? 'folder' : undefined;
  }

  function isFolder(folder: string, segment: string): boolean {
    const place = attempt(folder, () => `${cursor.enter(folder)}/${segment}`);
    return place !== undefined && lstatSync(bytesOf(place), { throwIfNoEntry: false })?.isDirectory() === true;
  }

  function lookAtLink(link: SourceEntry & { kind: 'link' }, place: string): void {
    const { name, target } = link;
    if (names === 'zip' && !target.isWellFormed()) return void leaveOut(name, 'unsupported-name');
    found.entries.push(link);
    // A copy of the link leads there, too.
    if (names === 'any' || !leadsOut(place, root)) return;
    found.outsideLinks.push(name);
    found.omissions.add(name, 'outside-link');
  }

  function leaveOut(name: string, reason: 'path-too-long' | 'unsupported-name'): undefined {
    found.leftOut.push(name);
    found.omissions.add(name, reason);
  }

  function attempt<T>(name: string, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      const missing = missingBy(error);
      // The root must exist. Anything below may vanish at any moment.
      if (name === '' || !missing) throw withEntry(error, name || '.');
      found.vanished.push(name);
      if (missing === 'replaced') found.omissions.add(name, 'replaced');
      return undefined;
    }
  }
}

function join(folder: string, segment: string): string {
  return folder === '' ? segment : `${folder}/${segment}`;
}

/** Returns `special` for a socket, pipe or device. */
function entryAt(name: string, place: string): SourceEntry | 'special' {
  const stats = lstatSync(bytesOf(place));
  const owner = ownerOf(stats);
  const common = { name, mode: stats.mode & 0o7777, modified: stats.mtime, ...(owner && { owner }) };
  if (stats.isDirectory()) return { ...common, kind: 'directory' };
  if (stats.isFile()) return { ...common, kind: 'file', size: stats.size };
  return stats.isSymbolicLink()
    ? { ...common, kind: 'link', target: nameOf(readlinkSync(bytesOf(place), 'buffer')) }
    : 'special';
}

/** A link that leads nowhere does not lead out. One that cannot be followed to its end may. */
function leadsOut(place: string, root: string): boolean {
  try {
    return !isInside(nameOf(realpathSync.native(bytesOf(place), 'buffer')), root);
  } catch (error) {
    return !hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP');
  }
}
