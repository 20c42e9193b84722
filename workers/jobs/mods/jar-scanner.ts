import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { JarAbout, JarDescription } from '../../pool/task-types.ts';
import type { Pool } from '../pool.ts';
import { isJarName } from './jar-name.ts';

/** More files than this are not looked at: the largest packs have some 500. */
const MAX_JARS = 2_000;
/** Files that are remembered, of all instances. */
const MAX_REMEMBERED = 10_000;

/** A jar in a server's folder, enabled or not. */
export interface Jar {
  file: string;
  sizeBytes: number;
  /** Absent: it could not be read. */
  sha512?: string;
  about?: JarAbout;
}

export type JarScanner = (folder: string, signal: AbortSignal) => Promise<Jar[]>;

/**
 * Lists the jars of a folder, by name. Each is hashed and described in a thread, and again only when it has changed: reading some
 * hundred of them takes seconds. A folder that is not there is empty.
 */
export function jarScanner(pool: Pool): JarScanner {
  const remembered = new Map<string, { stamp: string; description: JarDescription }>();

  function remember(file: string, stamp: string, description: JarDescription): void {
    remembered.delete(file);
    remembered.set(file, { stamp, description });
    const [oldest] = remembered.keys();
    if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  }

  return async (folder, signal) => {
    const jars = await jarsIn(folder);
    const unknown = jars.filter(({ place, stamp }) => remembered.get(place)?.stamp !== stamp);
    if (unknown.length > 0) {
      const descriptions = await pool.run('describe', { files: unknown.map(({ place }) => place) }, signal);
      for (const [index, { place, stamp }] of unknown.entries()) remember(place, stamp, descriptions[index] ?? {});
    }
    return jars.map(({ file, sizeBytes, place }) => ({ file, sizeBytes, ...remembered.get(place)?.description }));
  };
}

/** `stamp` is another one whenever the content can be. */
async function jarsIn(folder: string) {
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return [];
    throw error;
  });
  const jars: { file: string; place: string; sizeBytes: number; stamp: string }[] = [];
  for (const file of names.filter(isJarName).toSorted().slice(0, MAX_JARS)) {
    const place = path.join(folder, file);
    const stats = await stat(place).catch(() => undefined); // gone meanwhile, or a link to nothing
    if (!stats?.isFile()) continue;
    const stamp = [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(':');
    jars.push({ file, place, sizeBytes: stats.size, stamp });
  }
  return jars;
}
