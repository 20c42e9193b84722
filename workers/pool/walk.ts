import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import type { Exclusion } from './exclusion.ts';

/** One thing of a folder that goes into its archive. */
export type SourceEntry = {
  /** Relative path with `/`. */
  name: string;
  mode: number;
  modified: Date;
} & ({ kind: 'directory' } | { kind: 'file'; size: number } | { kind: 'link'; target: string });

export interface Walk {
  /** Sorted, each folder before what is in it. */
  entries: SourceEntry[];
  /** Sum of the files' sizes. */
  bytes: number;
  /** Topmost paths that stand in the folder but do not go into the archive, and are worth keeping. */
  leftOut: string[];
  /** Vanished between listing and looking. */
  vanished: string[];
}

/**
 * Lists a folder without following links. Synchronous on purpose: it runs in a thread of its own, where a call that waits for nobody
 * is ten times cheaper than one through the event loop.
 *
 * What a ZIP cannot hold is left out too: sockets, pipes and devices, and names with a backslash, which every ZIP reader takes for a
 * separator.
 */
export function walk(root: string, exclude: Exclusion): Walk {
  const found: Walk = { entries: [], bytes: 0, leftOut: [], vanished: [] };
  visit('');
  return found;

  function visit(folder: string): void {
    for (const segment of list(folder)) {
      const name = folder === '' ? segment : `${folder}/${segment}`;
      const excluded = exclude(name);
      if (excluded === 'transient') continue;
      if (excluded === 'unwanted' || segment.includes('\\')) found.leftOut.push(name);
      else look(name);
    }
  }

  function list(folder: string): string[] {
    try {
      return readdirSync(path.join(root, folder)).sort();
    } catch (error) {
      // The root itself must be there; anything below may go at any moment.
      if (folder === '' || !isGone(error)) throw error;
      found.vanished.push(folder);
      return [];
    }
  }

  function look(name: string): void {
    const file = path.join(root, name);
    try {
      const stats = lstatSync(file);
      const common = { name, mode: stats.mode & 0o7777, modified: stats.mtime };
      if (stats.isDirectory()) {
        found.entries.push({ ...common, kind: 'directory' });
        visit(name);
      } else if (stats.isFile()) {
        found.entries.push({ ...common, kind: 'file', size: stats.size });
        found.bytes += stats.size;
      } else if (stats.isSymbolicLink()) {
        found.entries.push({ ...common, kind: 'link', target: readlinkSync(file) });
      }
    } catch (error) {
      if (!isGone(error)) throw error;
      found.vanished.push(name);
    }
  }
}

/** ENOTDIR: a parent folder was replaced by a file meanwhile. */
export function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
