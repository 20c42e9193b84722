import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { isBelow } from '../../../shared/domain/software/minecraft-version.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { KeyedMutex } from '../../../shared/node/primitives/keyed-mutex.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { JobRun } from '../queue/job-entry.ts';
import type { Steps } from '../queue/steps.ts';
import type { Pool } from '../resources/pool.ts';
import type { Scratch } from '../resources/scratch.ts';
import { type Digest, isWhole } from '../vendors/digest.ts';
import { fetchFile } from '../vendors/download-cache.ts';
import { type VendorAddresses, vendorOf } from '../vendors/vendor.ts';
import { findRelease, NEWEST } from './find-release.ts';
import { fillIn, findStart } from './find-start.ts';
import type { Installed, InstalledRecords } from './installed.ts';
import { neededJava } from './needed-java.ts';
import { placeFile } from './place-file.ts';
import { runInstaller } from './run-installer.ts';
import type { Release } from './sources/source.ts';
import { unpackArchive } from './unpack-archive.ts';

export interface SoftwareParts {
  /** Folder of everything that can be had again. */
  cache: string;
  downloads: KeyedMutex;
  records: InstalledRecords;
  /** File that says which process is this instance's installer. */
  installerRecord: string;
  pool: Pool;
  scratch: Scratch;
  /** Puts the Java in place, that was asked for or that a major version needs, and gives its program. */
  provideJava: (needed: number | undefined) => Steps<string | undefined>;
  /** Notes which version an instance has got that left it open. */
  pin: (version: string) => Promise<void>;
}

/** How an installed program is started. */
export interface Start {
  /** Absolute path of the Java program, where it runs on one. */
  java?: string;
  /** What Java is told. */
  javaOptions?: string[];
  start?: string[];
  /** Absolute path of a program that needs no Java. */
  program?: string;
}

/** Installs what an instance runs, as far as it is missing. Asks nobody where all is there. */
export async function* installSoftware(
  config: InstanceConfig,
  definition: SoftwareDefinition,
  { vendors, run, ...parts }: SoftwareParts & { vendors: VendorAddresses; run: Pick<JobRun, 'signal' | 'phase'> },
): Steps<Start> {
  const { signal } = run;
  const { directory } = config;
  const { install, java: rule, launch } = definition;
  const title = `${definition.title} ${config.version}`;
  if (!install) {
    const java = yield* parts.provideJava(rule && (await neededJava(rule, config, mojangContext())));
    return { ...(java !== undefined && { java }), ...(await startOf({ version: config.version, build: '' })) };
  }

  const before = await parts.records.read(config.id);
  const isOfConfig = before?.kind === config.software && before.version === config.version;
  const own = isOfConfig && before.own !== undefined ? await ownStart(before.own) : undefined;
  if (own) {
    const java = yield* parts.provideJava(rule && (before!.java ?? (await neededJava(rule, before!, mojangContext()))));
    return { ...(java !== undefined && { java }), ...own };
  }
  const isSame = isOfConfig && before.file !== undefined;
  const release = isSame ? fromRecord(before, before.file!, vendors) : await newRelease(before);
  const names = { version: release.version, build: release.build, directory };
  const releaseTitle = `${definition.title} ${release.version}`;
  const java =
    rule && (isSame && before.java !== undefined ? before.java : await neededJava(rule, release, mojangContext()));
  if (!isSame && before && before.kind === config.software && isBelow(release.version, before.version))
    yield {
      progress: `Version ${release.version} is older than ${before.version}, which was installed here, and is started all the same: it may damage a world of the newer version. If it does, stop the server, set version ${before.version} again and restore a backup from before.`,
    };

  const phase = run.phase(release.file.bytes ?? 0);
  const fetchParts = { cache: path.join(parts.cache, 'downloads'), downloads: parts.downloads, signal };
  const fetching = () => fetchFile(release.file, { ...fetchParts, title: releaseTitle, phase });
  await mkdir(directory, { recursive: true });
  let program: string | undefined;
  let start = isSame ? await startOf(release) : undefined;
  switch (install.as.type) {
    case 'file': {
      if (!(isSame && (await isInPlace(path.join(directory, install.as.name), before.file?.digest)))) {
        const fetched = yield* fetching();
        const placing = { directory, name: install.as.name, before: before?.file?.digest };
        if (yield* placeFile(fetched, placing)) yield { progress: `Installed ${releaseTitle}.` };
        release.file.digest = fetched.digest;
      }
      program = yield* parts.provideJava(java);
      break;
    }
    case 'installer': {
      program = yield* parts.provideJava(java);
      if (start) break;
      const { file: jar, digest } = yield* fetching();
      if (program === undefined) throw new GamekeeperError('installation_failed', `${title} needs a Java to install.`);
      yield { progress: `Running the installer of ${releaseTitle} (${release.build}).` };
      const args = install.as.args.map((arg) => fillIn(arg, names));
      const run = { java: program, jar, args, directory, title: definition.title, record: parts.installerRecord };
      yield* runInstaller(run, signal);
      release.file.digest = digest;
      yield { progress: `Installed ${releaseTitle} (${release.build}).` };
      break;
    }
    case 'archive': {
      program = yield* parts.provideJava(java);
      if (start) break;
      const { file: archive, digest } = yield* fetching();
      yield { progress: `Unpacking ${releaseTitle}.` };
      const { keep, executables } = install.as;
      await unpackArchive({ archive, directory, keep, executables, staging: parts.cache, ...parts }, signal);
      release.file.digest = digest;
      yield { progress: `Installed ${releaseTitle}.` };
      break;
    }
  }
  phase.end();
  start ??= await startOf(release);
  if (!start)
    throw new GamekeeperError(
      'installation_failed',
      `${releaseTitle} is installed, but the program to start is not there.`,
    );
  if (!isSame) await parts.records.write(config.id, toRecord(release, java));
  return { ...(program !== undefined && { java: program }), ...start };

  function mojangContext() {
    return { vendors, cache: path.join(parts.cache, 'mojang'), signal };
  }

  async function newRelease(old: Installed | undefined): Promise<Release> {
    const found = await findRelease(install!.source, config.version, mojangContext());
    // From now on it is this version, until the owner wants another.
    if (found.version !== config.version) await parts.pin(found.version);
    if (old && config.version === NEWEST) await parts.records.remove(config.id);
    return found;
  }

  /** `undefined`: it is not there. */
  async function startOf(of: Pick<Release, 'version' | 'build'>): Promise<Start | undefined> {
    if (launch.type === 'java') return findStart(launch.start, directory, of);
    if (launch.type !== 'installed') return {};
    const name = launch.program[process.platform];
    const found = name === undefined ? undefined : await findStart([{ jar: name }], directory, of);
    return found && { program: path.join(directory, name!) };
  }

  /** Of the program that was there before us; `undefined`: it is not there any more. */
  async function ownStart(name: string): Promise<Start | undefined> {
    const candidate = name.endsWith('.txt') ? { argumentsFile: name } : { jar: name };
    const found = await findStart([candidate], directory, { version: config.version, build: '' });
    return found && launch.type === 'installed' ? { program: path.join(directory, name) } : found;
  }

  function toRecord(of: Release, needed: number | undefined): Installed {
    const { vendor, ...file } = of.file;
    return {
      kind: config.software,
      version: of.version,
      build: of.build,
      ...(needed !== undefined && { java: needed }),
      file: { ...file, vendor: vendor.name },
    } as Installed;
  }
}

/** Then the cache may be empty and the vendor out of reach. */
async function isInPlace(program: string, digest: Digest | undefined): Promise<boolean> {
  return digest !== undefined && (await isWhole(program, digest));
}

function fromRecord(
  { version, build, java }: Installed,
  file: NonNullable<Installed['file']>,
  vendors: VendorAddresses,
): Release {
  const vendor = file.vendor
    ? vendorOf(file.vendor, vendors)
    : { name: undefined, base: new URL(file.url).origin, contact: undefined };
  return { version, build, java, file: { ...file, vendor } };
}
