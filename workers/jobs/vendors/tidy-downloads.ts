import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Peers } from '../resources/peers.ts';
import type { InstalledRecords } from '../software/installed.ts';
import { type DownloadCache, nameOf } from './download-cache.ts';

/** Downloads unused for this long are removed; they are fetched again when needed. Milliseconds. */
const UNUSED_FOR_MS = 30 * 24 * 3_600_000;

export interface TidyDownloadsOptions {
  downloads: DownloadCache;
  records: InstalledRecords;
  peers: Pick<Peers, 'daemon'>;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Removes complete and partial downloads that no instance runs and that were not used for long. */
export async function tidyDownloads(
  { downloads: { folder, mutex }, records, peers, now }: TidyDownloadsOptions,
  signal: AbortSignal,
): Promise<void> {
  const names = await readdir(folder).catch(() => []); // nothing was downloaded yet
  const inUse = new Set<string>();
  for (const { config } of await peers.daemon.instances()) {
    const digest = (await records.read(config.id))?.file?.digest;
    if (digest) inUse.add(nameOf(digest));
  }
  for (const name of names.filter((one) => !inUse.has(one))) {
    const file = path.join(folder, name);
    // Waits for a download in progress; the file then counts as used.
    const release = await mutex.take(path.join(folder, downloadOf(name)), signal);
    try {
      const found = await stat(file).catch(() => undefined); // renamed or removed meanwhile
      if (found && now() - found.mtimeMs > UNUSED_FOR_MS) await rm(file, { force: true });
    } finally {
      release();
    }
  }
}

/** Returns the download a file belongs to: "sha1-0a" for "sha1-0a.partial", "url-0b" for "url-0b.new.partial.json". */
function downloadOf(name: string): string {
  return name.split('.', 1)[0]!;
}
