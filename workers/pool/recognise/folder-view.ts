import { closeSync, constants, fstatSync, lstatSync, opendirSync, openSync, readSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** Names to read per folder. Files that tell what a server is are never among so many. */
const MAX_NAMES = 10_000;
/** O_NONBLOCK: opening a pipe would block forever. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** A read-only view of a stranger's folder. Each call is short, no matter what the folder contains. Paths are relative, with `/`. */
export interface FolderView {
  /** Returns the names in a folder, sorted; none if there is no such folder. */
  names(folder?: string): string[];
  /** A link counts as its target, if that is inside the folder. */
  kindOf(name: string): 'file' | 'folder' | undefined;
  /** In milliseconds since the epoch; 0 if it does not exist. */
  changedAt(name: string): number;
  /** Returns the first bytes of a file as text, or `undefined` if it is no ordinary file or not readable. */
  text(name: string, maxBytes?: number): string | undefined;
  /** Runs `read` on an open file; `undefined` as for `text`. */
  open<T>(name: string, read: (descriptor: number, size: number) => Promise<T>): Promise<T | undefined>;
}

/** Settings files have some kilobytes. */
const TEXT_BYTES = 256 * 1024;

/** `root` is an absolute path, links resolved. */
export function viewFolder(root: string): FolderView {
  /** Returns `undefined` for what does not exist, and for links that leave the folder (CVE-2023-25152). */
  function placeOf(name: string): string | undefined {
    try {
      const place = realpathSync(path.join(root, name));
      return place === root || place.startsWith(root + path.sep) ? place : undefined;
    } catch {
      return undefined;
    }
  }

  function descriptorOf(name: string): number | undefined {
    const place = placeOf(name);
    if (place === undefined) return undefined;
    try {
      const descriptor = openSync(place, FLAGS);
      if (fstatSync(descriptor).isFile()) return descriptor;
      closeSync(descriptor);
    } catch {
      // Not readable, or just replaced.
    }
    return undefined;
  }

  return {
    names(folder = '.') {
      const place = placeOf(folder);
      return place === undefined ? [] : namesIn(place);
    },
    kindOf(name) {
      const place = placeOf(name);
      const stats = place === undefined ? undefined : lstatSync(place, { throwIfNoEntry: false });
      return stats?.isFile() ? 'file' : stats?.isDirectory() ? 'folder' : undefined;
    },
    changedAt(name) {
      const place = placeOf(name);
      return place === undefined ? 0 : (lstatSync(place, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    },
    text(name, maxBytes = TEXT_BYTES) {
      const descriptor = descriptorOf(name);
      if (descriptor === undefined) return undefined;
      try {
        const bytes = Buffer.alloc(Math.min(maxBytes, fstatSync(descriptor).size));
        return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, bytes.length, 0));
      } finally {
        closeSync(descriptor);
      }
    },
    async open(name, read) {
      const descriptor = descriptorOf(name);
      if (descriptor === undefined) return undefined;
      try {
        return await read(descriptor, fstatSync(descriptor).size);
      } finally {
        closeSync(descriptor);
      }
    },
  };
}

function namesIn(folder: string): string[] {
  const names: string[] = [];
  try {
    const open = opendirSync(folder);
    try {
      for (let item = open.readSync(); item && names.length < MAX_NAMES; item = open.readSync()) names.push(item.name);
    } finally {
      open.closeSync();
    }
  } catch {
    // Not a folder, or not readable.
  }
  return names.sort();
}
