import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  futimesSync,
  openSync,
  readlinkSync,
} from 'node:fs';
import type { AttributeChange, FileAttributes } from '../../../shared/contract/file-handles.ts';
import { bytesOf, nameOf } from '../../../shared/node/files/file-name.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { kindOf, statAt } from '../folder/entry.ts';
import { explained, fileNotFound, invalidPath, requirePath } from '../folder/file-error.ts';

/** Not the bits that run a program with another user's rights, nor the sticky bit. */
const PERMISSIONS = 0o777;
/** O_NONBLOCK: opening a pipe would not return. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export function attributesOf(stats: BigIntStats): FileAttributes {
  return {
    kind: kindOf(stats),
    sizeBytes: Number(stats.size),
    mode: Number(stats.mode) & PERMISSIONS,
    uid: Number(stats.uid),
    gid: Number(stats.gid),
    accessedAt: Number(stats.atimeMs / 1000n),
    modifiedAt: Number(stats.mtimeMs / 1000n),
  };
}

/** Returns what is at a path; links are not followed. Throws `file_not_found`. */
export function attributesAt(root: string, path: string): FileAttributes {
  requirePath(path);
  return explained(path, () => {
    using cursor = new TreeCursor(root);
    const stats = statAt(path === '' ? `${cursor.enter('')}/.` : cursor.placeOf(path));
    if (!stats) throw fileNotFound(path);
    return attributesOf(stats);
  });
}

/** Changes mode and times of a file or folder, which is opened first: nobody can put a link in its place meanwhile. */
export function setAttributesAt(root: string, path: string, change: Omit<AttributeChange, 'sizeBytes'>): void {
  requirePath(path, { isBelow: true });
  explained(path, () => {
    using cursor = new TreeCursor(root);
    const descriptor = openSync(bytesOf(cursor.placeOf(path)), FLAGS);
    try {
      const stats = fstatSync(descriptor);
      if (!stats.isFile() && !stats.isDirectory()) throw invalidPath(path, 'is not an ordinary file');
      applyChange(descriptor, change);
    } finally {
      closeSync(descriptor);
    }
  });
}

export function applyChange(descriptor: number, { mode, times }: Omit<AttributeChange, 'sizeBytes'>): void {
  if (mode !== undefined) fchmodSync(descriptor, mode & PERMISSIONS);
  if (times) futimesSync(descriptor, times.accessedAt, times.modifiedAt);
}

/** Returns what a link says. It is shown, never followed. */
export function readLinkAt(root: string, path: string): string {
  requirePath(path, { isBelow: true });
  return explained(path, () => {
    using cursor = new TreeCursor(root);
    const place = cursor.placeOf(path);
    const stats = statAt(place);
    if (!stats) throw fileNotFound(path);
    if (!stats.isSymbolicLink()) throw invalidPath(path, 'is not a link');
    return nameOf(readlinkSync(bytesOf(place), 'buffer'));
  });
}
