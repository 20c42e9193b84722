import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, utimes } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import type { KeyedMutex } from '../../../shared/node/primitives/keyed-mutex.ts';
import type { Phase } from '../queue/job-progress.ts';
import type { Steps } from '../queue/steps.ts';
import { type Digest, isWhole } from './digest.ts';
import { type Download, download } from './download.ts';

/** Downloads on disk, shared by all instances. */
export interface DownloadCache {
  /** Files are named by their hash; of vendors without checksums, an index named by the address leads to the hash. */
  readonly folder: string;
  /** Keyed by path: instances that need the same file share one download. */
  readonly mutex: KeyedMutex;
}

export interface FetchOptions {
  signal: AbortSignal;
  /** For progress lines: `Java 21`. */
  title: string;
  /** Counts the bytes downloaded. Ended by `fetchFile`. */
  phase: Phase;
  /** True if the address can have another file by now, so that one without a checksum is downloaded again. */
  fresh?: boolean;
}

export interface FetchedFile {
  file: string;
  /** The vendor's, else that of the first download. */
  digest: Digest;
}

/** Returns a vendor's file from the cache if it is there and whole, else downloads it. */
export async function* fetchFile(
  { vendor, url, digest, bytes }: Pick<Download, 'vendor' | 'url' | 'digest' | 'bytes'>,
  { folder, mutex }: DownloadCache,
  { signal, title, phase, fresh = false }: FetchOptions,
): Steps<FetchedFile> {
  await mkdir(folder, { recursive: true });
  const index = path.join(folder, `url-${createHash('sha256').update(url).digest('hex')}`);
  const key = digest ? path.join(folder, nameOf(digest)) : index;
  if (mutex.isTaken(key)) yield { progress: `Waiting for another download of ${title}.` };
  const release = await mutex.take(key, signal);
  try {
    const known = digest ?? (fresh ? undefined : await indexedDigest(index));
    if (known && (await isWhole(path.join(folder, nameOf(known)), known))) {
      const file = path.join(folder, nameOf(known));
      for (const used of [file, index]) await noteUse(used);
      return { file, digest: known };
    }
    const target = digest ? key : `${index}.new`;
    const hex = yield* download({ vendor, url, file: target, digest, bytes, title, phase }, signal);
    if (digest) return { file: target, digest };
    const own: Digest = { algorithm: 'sha256', hex };
    const file = path.join(folder, nameOf(own));
    await rename(target, file);
    await writeFileAtomically(index, hex);
    return { file, digest: own };
  } finally {
    phase.end();
    release();
  }
}

export function nameOf({ algorithm, hex }: Digest): string {
  return `${algorithm}-${hex}`;
}

/** tidy-downloads.ts goes by the file times. */
async function noteUse(file: string): Promise<void> {
  const now = new Date();
  await utimes(file, now, now).catch(() => undefined); // no index, or another user's file, which is then removed sooner
}

async function indexedDigest(index: string): Promise<Digest | undefined> {
  try {
    return { algorithm: 'sha256', hex: await readFile(index, 'utf8') };
  } catch {
    return undefined; // never downloaded completely
  }
}
