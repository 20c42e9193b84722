import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { JAVA_VERSIONS, type JavaVersion } from '../../../shared/domain/java/java-version.ts';
import { writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import { readValidJson } from '../../../shared/node/files/json-record.ts';
import { KeyedMutex } from '../../../shared/node/primitives/keyed-mutex.ts';

/** The build of a major version that new starts use. */
export interface JavaBuild {
  folder: string;
  /** Adoptium's name, for example `jdk-21.0.9+10`; undefined: installed by a version that did not record it. */
  release: string | undefined;
}

const record = z.object({ folder: z.string().regex(/^java-\d+(?:-[\w.+-]+)?$/), release: z.string().optional() });

/**
 * The installed builds of each major version. The first is in `java-21`, later ones beside it in `java-21-<release>`, since servers may be
 * running on the earlier one. `java-21.json` names the build for new starts; its modification time is that of the last start.
 */
export function createJavaBuilds(runtimes: string) {
  const mutex = new KeyedMutex();
  const recordOf = (version: JavaVersion) => path.join(runtimes, `java-${version}.json`);

  async function current(version: JavaVersion): Promise<JavaBuild> {
    const firstBuild = { folder: `java-${version}`, release: undefined };
    const { folder, release } = (await readValidJson(recordOf(version), record)) ?? firstBuild;
    return { folder: path.join(runtimes, folder), release };
  }

  async function setCurrent(version: JavaVersion, { folder, release }: JavaBuild): Promise<void> {
    await mkdir(runtimes, { recursive: true });
    await writeFileAtomically(recordOf(version), JSON.stringify({ folder: path.basename(folder), release }));
  }

  async function folders(version: JavaVersion): Promise<string[]> {
    const names: string[] = await readdir(runtimes).catch(() => []); // none was ever installed
    return names
      .filter((name) => name === `java-${version}` || name.startsWith(`java-${version}-`))
      .map((name) => path.join(runtimes, name));
  }

  return {
    current,
    setCurrent,
    folders,
    folder: runtimes,
    /** Hold this while a version is installed, updated or removed. */
    take: (version: JavaVersion, signal: AbortSignal) => mutex.take(version, signal),
    isTaken: (version: JavaVersion) => mutex.isTaken(version),
    /** Returns a folder for another build. The name must be new, since servers may be running on existing builds. */
    async newFolder(version: JavaVersion, release: string): Promise<string> {
      const folder = path.join(runtimes, `java-${version}-${release.replaceAll(/[^\w.+-]/g, '_')}`);
      const taken = await folders(version);
      for (let number = 1; ; number++) {
        const place = number === 1 ? folder : `${folder}-${number}`;
        if (!taken.includes(place)) return place;
      }
    },
    async installed(): Promise<JavaVersion[]> {
      const there = await Promise.all(JAVA_VERSIONS.map(folders));
      return JAVA_VERSIONS.filter((_, index) => there[index]?.length !== 0);
    },
    async older(version: JavaVersion): Promise<string[]> {
      const { folder } = await current(version);
      return (await folders(version)).filter((other) => other !== folder);
    },
    async noteUse(version: JavaVersion, at: Date): Promise<void> {
      await utimes(recordOf(version), at, at).catch(async () => setCurrent(version, await current(version)));
    },
    /** In milliseconds since the epoch; undefined: not recorded. */
    lastUse: (version: JavaVersion) =>
      stat(recordOf(version)).then(
        ({ mtimeMs }) => mtimeMs,
        () => undefined,
      ),
    forget: (version: JavaVersion) => rm(recordOf(version), { force: true }),
  };
}

export type JavaBuilds = ReturnType<typeof createJavaBuilds>;
