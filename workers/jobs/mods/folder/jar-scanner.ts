import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from '../../../../shared/errors/error-code.ts';
import { KeyedMutex } from '../../../../shared/node/primitives/keyed-mutex.ts';
import { unlessAborted } from '../../../../shared/node/primitives/unless-aborted.ts';
import type { JarAbout, JarDescription } from '../../../pool/task-types.ts';
import type { Pool } from '../../resources/pool.ts';
import { isJarName } from './jar-name.ts';

/** Files beyond this are ignored: the largest modpacks have some 500. */
const MAX_JARS = 2_000;
/** Descriptions to keep, of all instances. */
const MAX_REMEMBERED = 10_000;
/** Pool threads used at a time. Backups need some too, and any viewer can trigger a scan. */
const MAX_THREADS = 2;

export interface Jar {
  file: string;
  sizeBytes: number;
  /** Absent if the file could not be read. */
  sha512?: string;
  about?: JarAbout;
}

export type JarScanner = (folder: string, signal: AbortSignal) => Promise<Jar[]>;

/**
 * Lists the jars of a folder by name. Each is hashed and described in a pool thread, and again only after it has changed, since reading
 * some hundred takes seconds. Concurrent scans share the work. A missing folder is empty.
 */
export function createJarScanner(pool: Pool): JarScanner {
  const remembered = new Map<string, { stamp: string; description: JarDescription }>();
  const underWay = new Map<string, Promise<void>>();
  const threads = new KeyedMutex();
  let turn = 0;

  function remember(file: string, stamp: string, description: JarDescription): void {
    remembered.delete(file);
    remembered.set(file, { stamp, description });
    const [oldest] = remembered.keys();
    if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  }

  async function read(jars: readonly FoundJar[]): Promise<void> {
    const release = await threads.take(String(turn++ % MAX_THREADS), NEVER);
    try {
      const descriptions = await pool.run('describe', { files: jars.map(({ place }) => place) }, NEVER);
      for (const [index, { place, stamp }] of jars.entries()) remember(place, stamp, descriptions[index] ?? {});
    } finally {
      release();
    }
  }

  return async (folder, signal) => {
    const jars = await jarsIn(folder);
    const unknown = jars.filter(({ place, stamp }) => remembered.get(place)?.stamp !== stamp);
    const fresh = unknown.filter((jar) => !underWay.has(keyOf(jar)));
    if (fresh.length > 0) {
      // Not ended with this caller: others may be waiting for it.
      const reading = read(fresh).finally(() => {
        for (const jar of fresh) underWay.delete(keyOf(jar));
      });
      for (const jar of fresh) underWay.set(keyOf(jar), reading);
    }
    const readings = new Set(unknown.map((jar) => underWay.get(keyOf(jar))));
    await unlessAborted(Promise.all(readings), signal);
    return jars.map(({ file, sizeBytes, place }) => ({ file, sizeBytes, ...remembered.get(place)?.description }));
  };
}

const NEVER = new AbortController().signal;

interface FoundJar {
  file: string;
  place: string;
  sizeBytes: number;
  /** Changes whenever the content may have changed. */
  stamp: string;
}

function keyOf({ place, stamp }: FoundJar): string {
  return `${stamp} ${place}`;
}

async function jarsIn(folder: string): Promise<FoundJar[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  });
  const jars: FoundJar[] = [];
  for (const file of names.filter(isJarName).toSorted().slice(0, MAX_JARS)) {
    const place = path.join(folder, file);
    const stats = await stat(place).catch(() => undefined); // gone meanwhile, or a link to nothing
    if (!stats?.isFile()) continue;
    const stamp = [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(':');
    jars.push({ file, place, sizeBytes: stats.size, stamp });
  }
  return jars;
}
