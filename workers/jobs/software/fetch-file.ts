import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../../shared/node/atomic-file.ts';
import type { Phase } from '../job-progress.ts';
import type { KeyedLock } from '../keyed-lock.ts';
import type { Steps } from '../steps.ts';
import { type Digest, isWhole } from '../vendors/digest.ts';
import { download } from '../vendors/download.ts';
import type { Release } from './sources/source.ts';

export interface FetchParts {
  /** Folder of downloads, by their hash; one of no known hash by its address. */
  cache: string;
  downloads: KeyedLock;
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
  const file = path.join(cache, digest ? nameOf(digest) : `url-${createHash('sha256').update(url).digest('hex')}`);
  if (downloads.isTaken(file)) yield { progress: `Waiting for another download of ${title}.` };
  const release = await downloads.take(file, signal);
  try {
    const known = digest ?? (await firstDigest(file));
    if (known && (await isWhole(file, known))) return { file, digest: known };
    const hex = yield* download({ vendor, url, file, digest, bytes, title, phase }, signal);
    if (digest) return { file, digest };
    await writeFileAtomically(`${file}.sha256`, hex);
    return { file, digest: { algorithm: 'sha256', hex } };
  } finally {
    phase.end();
    release();
  }
}

/** What a file in the cache is called. */
export function nameOf({ algorithm, hex }: Digest): string {
  return `${algorithm}-${hex}`;
}

/** The hash that a file of a vendor without checksums had when it came. */
async function firstDigest(file: string): Promise<Digest | undefined> {
  try {
    return { algorithm: 'sha256', hex: await readFile(`${file}.sha256`, 'utf8') };
  } catch {
    // It has not been here, or not wholly.
    return undefined;
  }
}
