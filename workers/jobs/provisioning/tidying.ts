import type { Logger } from '../../../shared/node/logger.ts';
import type { Peers } from '../resources/peers.ts';
import type { JavaBuilds } from '../runtimes/java-builds.ts';
import { tidyRuntimes } from '../runtimes/tidy-runtimes.ts';
import type { InstalledRecords } from '../software/installed.ts';
import type { DownloadCache } from '../vendors/download-cache.ts';
import { tidyDownloads } from '../vendors/tidy-downloads.ts';

const TIDY_EVERY_MS = 3_600_000;

export interface TidyingOptions {
  builds: JavaBuilds;
  downloads: DownloadCache;
  records: InstalledRecords;
  peers: Peers;
  log: Logger;
}

/** Removes unused Java builds and downloads, now and every hour until `signal` fires. Returns at once. */
export function startTidying({ log, ...options }: TidyingOptions, signal: AbortSignal): void {
  const tasks = {
    runtimes: () => tidyRuntimes({ ...options, now: Date.now }, signal),
    downloads: () => tidyDownloads({ ...options, now: Date.now }, signal),
  };
  for (const [what, tidy] of Object.entries(tasks)) {
    const once = () =>
      void tidy().catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error }, `could not tidy ${what}`);
      });
    const timer = setInterval(once, TIDY_EVERY_MS).unref();
    signal.addEventListener('abort', () => clearInterval(timer), { once: true });
    once();
  }
}
