import { type BigIntStats, closeSync, constants, fstatSync, openSync } from 'node:fs';
import { bytesOf } from '../../../shared/node/files/file-name.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { etagOf, modifiedAt } from './entry.ts';
import { explained, invalidPath, requirePath } from './file-error.ts';

/** O_NONBLOCK: opening a pipe would not return. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export interface OpenedFile extends Disposable {
  readonly descriptor: number;
  readonly stats: BigIntStats;
}

/** Opens an ordinary file for reading, without following a link. Throws `file_not_found`, and `invalid_path` for anything else. */
export function openFile(root: string, path: string): OpenedFile {
  requirePath(path, { isBelow: true });
  return explained(path, () => {
    using cursor = new TreeCursor(root);
    return openOrdinary(cursor.placeOf(path), path);
  });
}

/** Opens the ordinary file at a place (TreeCursor). `path` is for messages. Throws as `openFile`. */
export function openOrdinary(place: string, path: string): OpenedFile {
  const descriptor = explained(path, () => openUnfollowed(place, path));
  const stats = fstatSync(descriptor, { bigint: true });
  if (stats.isFile()) return { descriptor, stats, [Symbol.dispose]: () => closeSync(descriptor) };
  closeSync(descriptor);
  throw invalidPath(path, stats.isDirectory() ? 'is a folder, not a file' : 'is not an ordinary file');
}

/** Returns size, time and version of an open file. */
export function factsOf({ stats }: OpenedFile): { sizeBytes: number; modifiedAt: string; etag: string } {
  return { sizeBytes: Number(stats.size), modifiedAt: modifiedAt(stats), etag: etagOf(stats) };
}

function openUnfollowed(place: string, path: string): number {
  try {
    return openSync(bytesOf(place), FLAGS);
  } catch (error) {
    // ELOOP: a link. ENXIO: a socket.
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ELOOP') throw invalidPath(path, 'is a link, which is not followed', error);
    if (code === 'ENXIO') throw invalidPath(path, 'is not an ordinary file', error);
    throw error;
  }
}
