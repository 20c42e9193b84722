import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import type { Logger } from '../../shared/node/logger.ts';
import type { ServerFolders } from './folder/server-folders.ts';
import { expireVersions } from './history/versions.ts';
import { removeLeftovers } from './staging/under-construction.ts';
import { expireTrash } from './trash/trash.ts';
import { expireUploads } from './uploads/uploads.ts';

const TIDY_EVERY_MS = 3_600_000;

export interface TidyingOptions {
  folders: ServerFolders;
  /** Where the archives for imports are. */
  imports: string;
  /** Milliseconds since the epoch. */
  now: () => number;
  log: Logger;
}

/** Removes what has expired or was left behind in the folders of all instances and among the archives for imports, now and every hour until `signal` fires. Returns at once. */
export function startTidying({ folders, imports, now, log }: TidyingOptions, signal: AbortSignal): void {
  async function tidy(instanceId: string): Promise<void> {
    const root = await folders.toChange(instanceId);
    for (const task of [removeLeftovers, expireUploads, expireTrash, expireVersions]) await task(root, now());
  }

  async function tidyImports(): Promise<void> {
    if (!existsSync(imports)) return;
    const root = await realpath(imports);
    for (const task of [removeLeftovers, expireUploads]) await task(root, now());
  }

  async function tidyAll(): Promise<void> {
    await tidyImports().catch((error: unknown) => log.warn({ err: error }, 'uploaded archives could not be tidied'));
    for (const instanceId of await folders.all()) {
      if (signal.aborted) return;
      await tidy(instanceId).catch((error: unknown) =>
        log.info(
          { err: error, instanceId },
          'the folder of a server could not be tidied, and is tried again in an hour',
        ),
      );
    }
  }

  const begin = () =>
    void tidyAll().catch((error: unknown) => {
      if (!signal.aborted) log.warn({ err: error }, 'the folders of servers could not be tidied');
    });
  const timer = setInterval(begin, TIDY_EVERY_MS).unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  begin();
}
