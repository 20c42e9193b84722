import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { JobsService } from '../../../shared/contract/jobs.ts';
import type { JavaVersion } from '../../../shared/domain/java/java-version.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { removeTree } from '../../../shared/node/files/remove-tree.ts';
import { JobProgress } from '../queue/job-progress.ts';
import type { Peers } from '../resources/peers.ts';
import type { Scratch } from '../resources/scratch.ts';
import type { InstalledRecords } from '../software/installed.ts';
import type { DownloadCache } from '../vendors/download-cache.ts';
import { type VendorAddresses, vendorOf } from '../vendors/vendor.ts';
import { updateJava } from './install-java.ts';
import type { JavaBuilds } from './java-builds.ts';
import { isBuildInUse, usersOfJava } from './runtime-use.ts';
import { tidyRuntimes } from './tidy-runtimes.ts';

export interface RuntimeCallsOptions {
  builds: JavaBuilds;
  downloads: DownloadCache;
  scratch: Scratch;
  records: InstalledRecords;
  peers: Peers;
  vendors(): Promise<VendorAddresses>;
}

export type RuntimeCalls = Pick<JobsService, 'runtimes' | 'updateRuntime' | 'removeRuntimes'>;

export function createRuntimeCalls(options: RuntimeCallsOptions): RuntimeCalls {
  const { builds, downloads, scratch, records, peers, vendors } = options;
  const sizeOf = createBuildSizes();

  return {
    async runtimes() {
      const usedBy = await usersOfJava(await peers.daemon.instances(), records);
      return Promise.all(
        (await builds.installed()).map(async (version) => {
          const { folder } = await builds.current(version);
          const sizes = await Promise.all((await builds.folders(version)).map(sizeOf));
          return {
            javaVersion: version,
            release: await releaseOf(folder),
            sizeBytes: sizes.reduce((sum, size) => sum + size, 0),
            usedBy: usedBy.get(version) ?? [],
          };
        }),
      );
    },
    async updateRuntime(javaVersion, signal) {
      const vendor = vendorOf('adoptium', await vendors());
      const progress = new JobProgress(); // not shown: this is no job
      const run = { signal, phase: (estimate: number) => progress.phase(estimate) };
      const steps = updateJava(javaVersion, { builds, downloads, scratch, vendor, run });
      for (;;) {
        const { done, value } = await steps.next();
        if (!done) continue;
        if (value.updated) await tidyRuntimes({ builds, records, peers, now: Date.now }, signal);
        return { javaVersion, ...value };
      }
    },
    async removeRuntimes({ javaVersion }) {
      const installed = await builds.installed();
      if (javaVersion !== undefined && !installed.includes(javaVersion))
        throw new GamekeeperError('runtime_not_found', `Java ${javaVersion} is not installed.`);
      const removed: JavaVersion[] = [];
      for (const version of javaVersion === undefined ? installed : [javaVersion]) {
        // Waits for installations and starts in progress.
        const release = await builds.take(version, NEVER);
        try {
          const instances = await peers.daemon.instances();
          const folders = await builds.folders(version);
          // Both the Java a server runs on and the one it is set to count: they differ until its next start.
          const isUsed =
            (await usersOfJava(instances, records)).has(version) ||
            folders.some((folder) => isBuildInUse(folder, instances));
          if (isUsed && javaVersion !== undefined)
            throw new GamekeeperError('runtime_in_use', `Java ${version} is in use, or a server is being installed.`);
          if (isUsed) continue;
          for (const folder of folders) await removeTree(folder);
          await builds.forget(version);
          removed.push(version);
        } finally {
          release();
        }
      }
      return removed;
    },
  };
}

const NEVER = new AbortController().signal;

/** `JAVA_VERSION="21.0.9"` in the file `release` of every runtime (JEP 223). */
async function releaseOf(folder: string): Promise<string | null> {
  for (const inside of ['', 'Contents/Home']) {
    const text = await readFile(path.join(folder, inside, 'release'), 'utf8').catch(() => ''); // not there
    const release = /^JAVA_VERSION="([\w.+-]{1,40})"/m.exec(text)?.[1];
    if (release !== undefined) return release;
  }
  return null;
}

/** Returns a function that sums up a build's files. A build is only replaced, never changed, so its hundreds of files are read once. */
function createBuildSizes(): (folder: string) => Promise<number> {
  const known = new Map<string, { stamp: string; bytes: Promise<number> }>();
  return async (folder) => {
    const { ino, mtimeMs } = await stat(folder);
    const stamp = `${ino} ${mtimeMs}`;
    const before = known.get(folder);
    if (before?.stamp === stamp) return before.bytes;
    const bytes = sizeOfFiles(folder);
    known.set(folder, { stamp, bytes });
    bytes.catch(() => known.delete(folder)); // the caller gets the error
    return bytes;
  };
}

async function sizeOfFiles(folder: string): Promise<number> {
  let bytes = 0;
  for (const item of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (item.isFile()) bytes += (await lstat(path.join(item.parentPath, item.name))).size;
  return bytes;
}
