import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { KeyedMutex } from '../../../shared/node/primitives/keyed-mutex.ts';
import type { Peers } from '../resources/peers.ts';
import type { InstalledRecords } from '../software/installed.ts';
import { nameOf } from './download-cache.ts';

/** A download that nobody has used for this long goes; it comes back when it is needed. Milliseconds. */
const UNUSED_FOR_MS = 30 * 24 * 3_600_000;

export interface TidyDownloadsParts {
  /** Folder of downloads. */
  cache: string;
  downloads: KeyedMutex;
  records: InstalledRecords;
  peers: Pick<Peers, 'daemon'>;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Removes the downloads, whole or half, that no instance runs and nobody has used for long. */
export async function tidyDownloads(
  { cache, downloads, records, peers, now }: TidyDownloadsParts,
  signal: AbortSignal,
): Promise<void> {
  const names = await readdir(cache).catch(() => []); // nothing was ever downloaded
  const run = new Set<string>();
  for (const { config } of await peers.daemon.instances()) {
    const digest = (await records.read(config.id))?.file?.digest;
    if (digest) run.add(nameOf(digest));
  }
  for (const name of names.filter((one) => !run.has(one))) {
    const file = path.join(cache, name);
    // Whoever is fetching it, or about to use it, comes first: then it is not unused.
    const release = await downloads.take(path.join(cache, downloadOf(name)), signal);
    try {
      const found = await stat(file).catch(() => undefined); // it got its name, or is gone
      if (found && now() - found.mtimeMs > UNUSED_FOR_MS) await rm(file, { force: true });
    } finally {
      release();
    }
  }
}

/** What a file in the cache belongs to: "sha1-0a" for its "sha1-0a.partial", "url-0b" for its "url-0b.new.partial.json". */
function downloadOf(name: string): string {
  return name.split('.', 1)[0]!;
}
