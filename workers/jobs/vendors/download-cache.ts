import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, utimes } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import type { KeyedMutex } from '../../../shared/node/primitives/keyed-mutex.ts';
import type { Phase } from '../queue/job-progress.ts';
import type { Steps } from '../queue/steps.ts';
import type { Release } from '../software/sources/source.ts';
import { type Digest, isWhole } from './digest.ts';
import { download } from './download.ts';

export interface FetchParts {
  /** Folder of downloads, by their hash; one of no known hash by its address. */
  cache: string;
  downloads: KeyedMutex;
  signal: AbortSignal;
}

export interface FetchedFile {
  file: string;
  /** The vendor's, else what it had when it was first downloaded. */
  digest: Digest;
}

/** A vendor's file from the cache, where some instance has had it before and it is still whole, else from the vendor. */
export async function* fetchFile(
  { vendor, url, digest, bytes }: Release['file'],
  { cache, downloads, signal, title, phase }: FetchParts & { title: string; phase: Phase },
): Steps<FetchedFile> {
  await mkdir(cache, { recursive: true });
  // Without a checksum of the vendor's, the address leads to the one that the file had when it first came.
  const index = path.join(cache, `url-${createHash('sha256').update(url).digest('hex')}`);
  const key = digest ? path.join(cache, nameOf(digest)) : index;
  if (downloads.isTaken(key)) yield { progress: `Waiting for another download of ${title}.` };
  const release = await downloads.take(key, signal);
  try {
    const known = digest ?? (await firstDigest(index));
    if (known && (await isWhole(path.join(cache, nameOf(known)), known))) {
      const file = path.join(cache, nameOf(known));
      for (const used of [file, index]) await noteUse(used);
      return { file, digest: known };
    }
    const target = digest ? key : `${index}.new`;
    const hex = yield* download({ vendor, url, file: target, digest, bytes, title, phase }, signal);
    if (digest) return { file: target, digest };
    const own: Digest = { algorithm: 'sha256', hex };
    const file = path.join(cache, nameOf(own));
    await rename(target, file);
    await writeFileAtomically(index, hex);
    return { file, digest: own };
  } finally {
    phase.end();
    release();
  }
}

/** What a file in the cache is called. */
export function nameOf({ algorithm, hex }: Digest): string {
  return `${algorithm}-${hex}`;
}

/** By its time (tidy-downloads.ts). */
async function noteUse(file: string): Promise<void> {
  const now = new Date();
  await utimes(file, now, now).catch(() => undefined); // no index, or a file of another user's: then it goes sooner
}

/** The hash that a file of a vendor without checksums had when it came. */
async function firstDigest(index: string): Promise<Digest | undefined> {
  try {
    return { algorithm: 'sha256', hex: await readFile(index, 'utf8') };
  } catch {
    // It has not been here, or not wholly.
    return undefined;
  }
}
