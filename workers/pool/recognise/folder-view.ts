import { closeSync, constants, fstatSync, lstatSync, opendirSync, openSync, readSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** More names than this in one folder are not looked at: no server keeps what tells what it is behind so many. */
const MAX_NAMES = 10_000;
/** O_NONBLOCK: a pipe in the file's place would otherwise be waited for, for ever. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** A stranger's folder, looked at and never written to: whatever is in there, each look is short. Paths are relative, with `/`. */
export interface FolderView {
  /** Names in it, sorted. None where there is no such folder. */
  names(folder?: string): string[];
  /** Of files and folders; a link counts as what it leads to, within the folder. */
  kindOf(name: string): 'file' | 'folder' | undefined;
  /** Milliseconds since the epoch; 0 for what is not there. */
  changedAt(name: string): number;
  /** The first bytes of a file as text. `undefined`: there is no ordinary file of this name, or it may not be read. */
  text(name: string, maxBytes?: number): string | undefined;
  /** Runs `read` on an open file; `undefined` as for `text`. */
  open<T>(name: string, read: (descriptor: number, size: number) => Promise<T>): Promise<T | undefined>;
}

/** Settings files have some kilobytes. */
const TEXT_BYTES = 256 * 1024;

/** `root` is an absolute path without links. */
export function viewFolder(root: string): FolderView {
  /** `undefined` for what is not there and for what a link takes out of the folder (CVE-2023-25152). */
  function placeOf(name: string): string | undefined {
    try {
      const place = realpathSync(path.join(root, name));
      return place === root || place.startsWith(root + path.sep) ? place : undefined;
    } catch {
      // Not there, or not to be reached: the same to who looks.
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
      // It may not be read, or has just been replaced.
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
    // No folder, or not for us.
  }
  return names.sort();
}
