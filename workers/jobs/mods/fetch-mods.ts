import type { JobRun } from '../queue/job-entry.ts';
import { JobProgress } from '../queue/job-progress.ts';
import { resultOf, type Steps } from '../queue/steps.ts';
import { type DownloadCache, fetchFile } from '../vendors/download-cache.ts';
import { type VendorAddresses, vendorOf } from '../vendors/vendor.ts';
import type { Put } from './waiting-changes.ts';

export interface ModSources {
  vendors(): Promise<VendorAddresses>;
  downloads: DownloadCache;
  /** Folder for answers of Mojang that never change. */
  manifests: string;
}

type Run = Pick<JobRun, 'signal'> & Partial<Pick<JobRun, 'phase'>>;

/** Downloads the mods that are not in the cache, each verified by its SHA-512. Yields progress; returns the files by hash. */
export async function* fetchingMods(
  puts: readonly Put[],
  { signal, phase = (bytes) => new JobProgress().phase(bytes) }: Run,
  { vendors, downloads }: Pick<ModSources, 'vendors' | 'downloads'>,
): Steps<Map<string, string>> {
  const vendor = vendorOf('modrinth', await vendors());
  const phases = puts.map((put) => ({ put, phase: phase(put.bytes) }));
  const files = new Map<string, string>();
  for (const { put, phase: part } of phases) {
    const { url, sha512: hex, bytes, known } = put;
    const title = `${known.title} ${known.version}`;
    const digest = { algorithm: 'sha512', hex } as const;
    const { file } = yield* fetchFile({ vendor, url, digest, bytes }, downloads, { signal, title, phase: part });
    files.set(hex, file);
  }
  return files;
}

export function fetchMods(puts: readonly Put[], run: Run, sources: ModSources): Promise<Map<string, string>> {
  return resultOf(fetchingMods(puts, run, sources));
}
