import { removeTree } from '../../../shared/node/files/remove-tree.ts';
import type { Peers } from '../resources/peers.ts';
import type { InstalledRecords } from '../software/installed.ts';
import type { JavaBuilds } from './java-builds.ts';
import { isBuildInUse, usersOfJava } from './runtime-use.ts';

/** A major version that no instance used for this long is removed; it is installed again when needed. Milliseconds. */
const UNUSED_FOR_MS = 30 * 24 * 3_600_000;

export interface TidyRuntimesOptions {
  builds: JavaBuilds;
  records: InstalledRecords;
  peers: Pick<Peers, 'daemon'>;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Removes replaced builds that nothing runs on, and major versions that were not used for long. */
export async function tidyRuntimes(
  { builds, records, peers, now }: TidyRuntimesOptions,
  signal: AbortSignal,
): Promise<void> {
  for (const version of await builds.installed()) {
    const release = await builds.take(version, signal);
    try {
      const instances = await peers.daemon.instances();
      for (const folder of await builds.older(version)) if (!isBuildInUse(folder, instances)) await removeTree(folder);
      if ((await usersOfJava(instances, records)).has(version)) continue;
      const lastUse = await builds.lastUse(version);
      // If the last use is not recorded, the time starts now.
      if (lastUse === undefined) await builds.noteUse(version, new Date(now()));
      else if (now() - lastUse > UNUSED_FOR_MS && !isBuildInUse((await builds.current(version)).folder, instances)) {
        for (const folder of await builds.folders(version)) await removeTree(folder);
        await builds.forget(version);
      }
    } finally {
      release();
    }
  }
}
