import { createHash } from 'node:crypto';
import { constants, copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncDirectory } from '../../../shared/node/atomic-file.ts';
import { removeTree } from '../../../shared/node/remove-tree.ts';
import type { KeyedLock } from '../keyed-lock.ts';
import type { Steps } from '../steps.ts';
import { download } from '../vendors/download.ts';
import type { Vendor } from '../vendors/vendor.ts';

export interface ServerJar {
  vendor: Vendor;
  url: string;
  sha1: string;
  size: number;
  /** As in lines: "Minecraft 1.21.8". */
  title: string;
  /** Where it belongs: the folder, and its name in there. */
  directory: string;
  name: string;
}

export interface JarParts {
  /** Folder for downloads, by their hash. */
  cache: string;
  downloads: KeyedLock;
}

/**
 * Puts a server's program into its folder, from the cache where some instance has had it before. A program of the same name that did
 * not come from us is kept beside it.
 */
export async function* installJar(jar: ServerJar, { cache, downloads }: JarParts, signal: AbortSignal): Steps<void> {
  const target = path.join(jar.directory, jar.name);
  const present = await sha1Of(target);
  if (present === jar.sha1) return;
  await mkdir(cache, { recursive: true });
  const cached = path.join(cache, `sha1-${jar.sha1}`);
  if (downloads.isTaken(cached)) yield { progress: `Waiting for another download of ${jar.title}.` };
  const release = await downloads.take(cached, signal);
  try {
    if ((await sha1Of(cached)) !== jar.sha1) {
      const digest = { algorithm: 'sha1', hex: jar.sha1 } as const;
      yield* download({ ...jar, bytes: jar.size, file: cached, digest }, signal);
    }
  } finally {
    release();
  }
  if (present !== undefined && (await sha1Of(path.join(cache, `sha1-${present}`))) === undefined) {
    await rename(target, `${target}.replaced`);
    yield { progress: `Kept the ${jar.name} that was there as ${jar.name}.replaced.` };
  }
  await place(cached, target);
  yield { progress: `Installed ${jar.title}.` };
}

/** A copy, so that whatever becomes of it in the server's folder, the cache stays good; shared on disk where the file system can. */
async function place(cached: string, target: string): Promise<void> {
  const partial = `${target}.partial`;
  await mkdir(path.dirname(target), { recursive: true });
  // Whatever has this name, a link out of the folder perhaps, is not written through (CVE-2023-25152).
  await removeTree(partial);
  try {
    await copyFile(cached, partial, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    await rename(partial, target);
  } finally {
    await rm(partial, { force: true });
  }
  await syncDirectory(path.dirname(target));
}

/** Of what is no ordinary file (a pipe would be waited for, for ever), that of nothing. */
async function sha1Of(file: string): Promise<string | undefined> {
  const hash = createHash('sha1');
  try {
    await using handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    if ((await handle.stat()).isFile()) await pipeline(handle.createReadStream({ autoClose: false }), hash);
    return hash.digest('hex');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
