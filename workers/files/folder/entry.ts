import { type BigIntStats, lstatSync } from 'node:fs';
import { bytesOf, shownName } from '../../../shared/node/files/file-name.ts';
import type { FileEntry, FileKind } from '../../../shared/schema/files.ts';

/** What calls of `stat` return, and entries of a folder. */
interface Typed {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

export function kindOf(found: Typed): FileKind {
  if (found.isFile()) return 'file';
  if (found.isDirectory()) return 'folder';
  return found.isSymbolicLink() ? 'link' : 'other';
}

/** Returns what is at a place (TreeCursor), without following links; `undefined` if nothing is there. */
export function statAt(place: string): BigIntStats | undefined {
  return lstatSync(bytesOf(place), { bigint: true, throwIfNoEntry: false });
}

/** Returns a name or path as answers show it. One that is not UTF-8 cannot be sent as it is. */
export function listedName(name: string): string {
  return name.isWellFormed() ? name : shownName(name);
}

/** `name` as in shared/node/files/file-name.ts. */
export function entryOf(name: string, stats: BigIntStats): FileEntry {
  return {
    name: listedName(name),
    kind: kindOf(stats),
    sizeBytes: stats.isFile() ? Number(stats.size) : 0,
    modifiedAt: modifiedAt(stats),
  };
}

/** Times before 1970 and far from now come from broken archives. */
export function modifiedAt({ mtimeMs }: BigIntStats): string {
  const time = new Date(Number(mtimeMs));
  return Number.isNaN(time.getTime()) || time.getUTCFullYear() > 9999 || time.getUTCFullYear() < 0
    ? new Date(0).toISOString()
    : time.toISOString();
}

/** Returns the version of a file. A program that writes twice within one tick of the file system's clock, a few milliseconds, may go unnoticed. */
export function etagOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `"${[dev, ino, size, mtimeNs, ctimeNs].map((part) => part.toString(36)).join('-')}"`;
}
