import { constants } from 'node:fs';
import { copyFile, lchown, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { VendorInstall } from '../../../shared/domain/software/definition.ts';
import { isBelow } from '../../../shared/domain/software/minecraft-version.ts';
import { NEWEST } from '../../../shared/domain/software/version-source.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { findGameUser, type SystemUser } from '../../../shared/node/processes/system-user.ts';
import type { Steps } from '../queue/steps.ts';
import { isWhole } from '../vendors/digest.ts';
import { type FetchedFile, fetchFile } from '../vendors/download-cache.ts';
import { type VendorAddresses, vendorOf } from '../vendors/vendor.ts';
import { findRelease } from './find-release.ts';
import { fillIn, type Start, startOf } from './find-start.ts';
import { createMojangContext, type Installation, type SoftwareOptions } from './installation.ts';
import type { Installed } from './installed.ts';
import { neededJava } from './needed-java.ts';
import { placeFile } from './place-file.ts';
import { runInstaller } from './run-installer.ts';
import type { Release } from './sources/source.ts';
import { makeExecutable } from './steps/make-executable.ts';
import { unpackArchive } from './unpack-archive.ts';

type InstallAs<Type extends VendorInstall['as']['type']> = Extract<VendorInstall['as'], { type: Type }>;

interface ReleaseOrder {
  install: VendorInstall;
  record: Installed | undefined;
  /** True if the record matches the configured software and version. */
  isCurrent: boolean;
}

interface Placement {
  release: Release;
  /** For progress lines: `Paper 1.21.8`. */
  title: string;
  record: Installed | undefined;
  /** True if the release is the installed one, whose files may be in place already. */
  isSame: boolean;
  fetch(): Steps<FetchedFile>;
}

/** Installs the recorded release if it is the configured one, else the newest build of the configured version, and records it. */
export async function* installRelease(
  installation: Installation,
  { install, record, isCurrent }: ReleaseOrder,
  options: SoftwareOptions,
): Steps<Start> {
  const { config, definition, vendors, run } = installation;
  const { directory } = config;
  const isSame = isCurrent && record?.file !== undefined;
  const release = isSame
    ? recordedRelease(record!, vendors)
    : await newRelease(installation, { install, record }, options);
  const title = `${definition.title} ${release.version}`;
  const java = await javaOf(release, isSame ? record?.java : undefined, installation, options);
  if (!isSame && record?.kind === config.software && isBelow(release.version, record.version))
    yield { progress: downgradeWarning(release.version, record.version) };

  const phase = run.phase(release.file.bytes ?? 0);
  const fetch = () => fetchFile(release.file, options.downloads, { signal: run.signal, title, phase });
  await mkdir(directory, { recursive: true });
  const existing = isSame ? await startOf(definition, directory, release) : undefined;
  const placement = { release, title, record, isSame, fetch };
  let program: string | undefined;
  if (install.as.type === 'file') {
    yield* placeProgram(placement, install.as, directory);
    program = yield* installation.provideJava(java);
  } else {
    program = yield* installation.provideJava(java);
    if (!existing && install.as.type === 'installer')
      yield* runVendorInstaller(placement, install.as, { program, installation, options });
    if (!existing && install.as.type === 'archive')
      yield* unpackVendorArchive(placement, install.as, { installation, options });
  }
  phase.end();
  const start = existing ?? (await startOf(definition, directory, release));
  if (!start)
    throw new GamekeeperError('installation_failed', `${title} was installed, but the program to start is missing.`);
  // The record of a release that was chosen in advance does not say which Java it needs.
  if (!isSame || record?.java !== java)
    await options.records.write(config.id, toInstalled(config.software, release, java));
  return { ...(program !== undefined && { java: program }), ...start };
}

async function* placeProgram(
  { release, title, record, isSame, fetch }: Placement,
  { name }: InstallAs<'file'>,
  directory: string,
): Steps<void> {
  const before = record?.file?.digest;
  // If it is in place, the cache may be empty and the vendor out of reach.
  if (isSame && before && (await isWhole(path.join(directory, name), before))) return;
  const fetched = yield* fetch();
  if (yield* placeFile(fetched, { directory, name, before })) yield { progress: `Installed ${title}.` };
  release.file.digest = fetched.digest;
}

async function* runVendorInstaller(
  { release, title, fetch }: Placement,
  { args: templates }: InstallAs<'installer'>,
  { program, installation, options }: Around & { program: string | undefined },
): Steps<void> {
  const { config, definition, run } = installation;
  const { directory } = config;
  const { file: jar, digest } = yield* fetch();
  if (program === undefined)
    throw new GamekeeperError('installation_failed', `${title} cannot be installed without Java.`);
  yield { progress: `Running the installer of ${title} (${release.build}).` };
  const args = templates.map((arg) => fillIn(arg, { version: release.version, build: release.build, directory }));
  const record = options.home.installerRecord(config.id);
  const user = config.runAs === undefined ? undefined : await findGameUser(config.runAs);
  const own = user && (await copyFor(user, jar, directory));
  try {
    const order = { java: program, jar: own ?? jar, args, directory, title: definition.title, user, record };
    yield* runInstaller(order, run.signal);
  } finally {
    if (own !== undefined) await rm(own, { force: true });
  }
  release.file.digest = digest;
  yield { progress: `Installed ${title} (${release.build}).` };
}

/** Other users cannot read the cache. Returns where the copy is. */
async function copyFor({ uid, gid }: SystemUser, jar: string, directory: string): Promise<string> {
  const copy = path.join(directory, '.gamekeeper-installer.jar');
  await rm(copy, { force: true });
  await copyFile(jar, copy, constants.COPYFILE_EXCL);
  await lchown(copy, uid, gid);
  return copy;
}

async function* unpackVendorArchive(
  { release, title, fetch }: Placement,
  { keep, executables }: InstallAs<'archive'>,
  { installation, options }: Around,
): Steps<void> {
  const { config, run } = installation;
  const { file: archive, digest } = yield* fetch();
  yield { progress: `Unpacking ${title}.` };
  const { directory } = config;
  const order = { archive, what: 'The downloaded file', directory, from: '', to: '', keep };
  await unpackArchive(order, options.pool, run);
  await makeExecutable(directory, executables);
  release.file.digest = digest;
  yield { progress: `Installed ${title}.` };
}

interface Around {
  installation: Installation;
  options: SoftwareOptions;
}

async function javaOf(
  release: Release,
  recorded: number | undefined,
  installation: Installation,
  options: SoftwareOptions,
): Promise<number | undefined> {
  const { java: rule } = installation.definition;
  return rule && (recorded ?? (await neededJava(rule, release, createMojangContext(installation, options))));
}

async function newRelease(
  installation: Installation,
  { install, record }: Pick<ReleaseOrder, 'install' | 'record'>,
  options: SoftwareOptions,
): Promise<Release> {
  const { config } = installation;
  const found = await findRelease(install.source, config.version, createMojangContext(installation, options));
  // From now on the instance has this version, until the owner sets another one.
  if (found.version !== config.version) await installation.pin(found.version);
  if (record && config.version === NEWEST) await options.records.remove(config.id);
  return found;
}

function recordedRelease({ version, build, java, file }: Installed, vendors: VendorAddresses): Release {
  const { vendor: name, ...rest } = file!;
  const vendor = name
    ? vendorOf(name, vendors)
    : { name: undefined, base: new URL(rest.url).origin, contact: undefined };
  return { version, build, java, file: { ...rest, vendor } };
}

/** Returns the record of a release. With one that is written before the first start, that start installs this release. */
export function toInstalled(kind: string, { version, build, file }: Release, java: number | undefined): Installed {
  const { vendor, ...rest } = file;
  return {
    kind,
    version,
    build,
    ...(java !== undefined && { java }),
    file: { ...rest, vendor: vendor.name },
  } as Installed;
}

function downgradeWarning(version: string, before: string): string {
  return `Version ${version} is older than ${before}, which was installed before. It may damage a world of the newer version. If it does, stop the server, set version ${before} again, and restore an earlier backup.`;
}
