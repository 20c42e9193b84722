import { lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { JobsService } from '../../../shared/contract/jobs.ts';
import { JAVA_VERSIONS, type JavaVersion } from '../../../shared/domain/java-version.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { removeTree } from '../../../shared/node/remove-tree.ts';
import type { KeyedLock } from '../keyed-lock.ts';
import type { Peers } from '../peers.ts';
import type { InstalledRecords } from '../software/installed.ts';
import { javaFor } from './java-for.ts';

export interface RuntimeParts {
  /** Folder of the runtimes. */
  runtimes: string;
  downloads: KeyedLock;
  records: InstalledRecords;
  peers: Peers;
}

/** What there is of Java, for whom, and how it goes when nobody needs it. */
export function runtimeCalls(parts: RuntimeParts): Pick<JobsService, 'runtimes' | 'removeRuntimes'> {
  const folderOf = (version: JavaVersion) => path.join(parts.runtimes, `java-${version}`);

  async function users(): Promise<Map<JavaVersion, string[]>> {
    const found = new Map<JavaVersion, string[]>();
    for (const { config } of await parts.peers.daemon.instances()) {
      const needed = (await parts.records.read(config.id))?.java;
      const version = config.javaVersion ?? (needed === undefined ? undefined : javaFor(needed));
      if (version !== undefined) found.set(version, [...(found.get(version) ?? []), config.id]);
    }
    return found;
  }

  async function present(): Promise<JavaVersion[]> {
    const names: string[] = await readdir(parts.runtimes).catch(() => []); // none was ever installed
    return JAVA_VERSIONS.filter((version) => names.includes(`java-${version}`));
  }

  return {
    async runtimes() {
      const usedBy = await users();
      return Promise.all(
        (await present()).map(async (version) => ({
          javaVersion: version,
          release: await releaseOf(folderOf(version)),
          sizeBytes: await sizeOf(folderOf(version)),
          usedBy: usedBy.get(version) ?? [],
        })),
      );
    },
    async removeRuntimes({ javaVersion }) {
      const installed = await present();
      if (javaVersion !== undefined && !installed.includes(javaVersion))
        throw new GamekeeperError('runtime_not_found', `Java ${javaVersion} is not installed.`);
      const removed: JavaVersion[] = [];
      for (const version of javaVersion === undefined ? installed : [javaVersion]) {
        // Whoever is installing it, or about to use it, comes first.
        const release = await parts.downloads.take(folderOf(version), NEVER);
        try {
          const holders = (await users()).get(version);
          if (holders && javaVersion !== undefined)
            throw new GamekeeperError('runtime_in_use', `Java ${version} is used by ${holders.join(', ')}.`);
          if (holders) continue;
          await removeTree(folderOf(version));
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

/** `JAVA_VERSION="21.0.9"` in the file that every runtime has (JEP 223). */
async function releaseOf(folder: string): Promise<string | null> {
  for (const inside of ['', 'Contents/Home']) {
    const text = await readFile(path.join(folder, inside, 'release'), 'utf8').catch(() => ''); // not there
    const release = /^JAVA_VERSION="([\w.+-]{1,40})"/m.exec(text)?.[1];
    if (release !== undefined) return release;
  }
  return null;
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const item of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (item.isFile()) bytes += (await lstat(path.join(item.parentPath, item.name))).size;
  return bytes;
}
