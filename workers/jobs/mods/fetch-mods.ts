import type { KeyedMutex } from '../../../shared/node/primitives/keyed-mutex.ts';
import type { JobRun } from '../queue/job-entry.ts';
import { JobProgress } from '../queue/job-progress.ts';
import type { Steps } from '../queue/steps.ts';
import { fetchFile } from '../vendors/download-cache.ts';
import { type VendorAddresses, vendorOf } from '../vendors/vendor.ts';
import type { Put } from './waiting-changes.ts';

export interface FetchModsParts {
  vendors: () => Promise<VendorAddresses>;
  /** Folder of downloads. */
  cache: string;
  downloads: KeyedMutex;
}

type Run = Pick<JobRun, 'signal'> & Partial<Pick<JobRun, 'phase'>>;

/** Downloads mods, as far as they are not in the cache, each verified by its SHA-512. Says what it does; gives where they are, by hash. */
export async function* fetchingMods(
  puts: readonly Put[],
  { signal, phase = (bytes) => new JobProgress().phase(bytes) }: Run,
  { vendors, cache, downloads }: FetchModsParts,
): Steps<Map<string, string>> {
  const vendor = vendorOf('modrinth', await vendors());
  const phases = puts.map((put) => ({ put, phase: phase(put.bytes) }));
  const places = new Map<string, string>();
  for (const { put, phase: part } of phases) {
    const { url, sha512: hex, bytes, known } = put;
    const title = `${known.title} ${known.version}`;
    const digest = { algorithm: 'sha512', hex } as const;
    const { file } = yield* fetchFile({ vendor, url, digest, bytes }, { cache, downloads, signal, title, phase: part });
    places.set(hex, file);
  }
  return places;
}

/** The same for who has nobody to tell. */
export async function fetchMods(puts: readonly Put[], run: Run, parts: FetchModsParts): Promise<Map<string, string>> {
  const steps = fetchingMods(puts, run, parts);
  for (;;) {
    const step = await steps.next();
    if (step.done) return step.value;
  }
}
