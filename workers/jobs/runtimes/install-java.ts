import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { JavaVersion } from '../../../shared/domain/java/java-version.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { syncDirectory } from '../../../shared/node/files/atomic-file.ts';
import { requireSpace } from '../../../shared/node/files/disk-space.ts';
import type { JobRun } from '../queue/job-entry.ts';
import type { Steps } from '../queue/steps.ts';
import type { Scratch } from '../resources/scratch.ts';
import { type DownloadCache, fetchFile } from '../vendors/download-cache.ts';
import type { Vendor } from '../vendors/vendor.ts';
import { findJava, type JavaPackage } from './adoptium.ts';
import type { JavaBuilds } from './java-builds.ts';
import { probeJava } from './probe-java.ts';

const run = promisify(execFile);

/** A runtime is at most this much larger than its archive. */
const UNPACKED_RATIO = 4;
const PROGRAM = process.platform === 'win32' ? 'java.exe' : 'java';

export interface JavaOptions {
  builds: JavaBuilds;
  downloads: DownloadCache;
  scratch: Scratch;
  vendor: Vendor;
  run: Pick<JobRun, 'signal' | 'phase'>;
}

/**
 * Returns the program of a runtime of this major version, which is installed if it is missing or does not run. A runtime that cannot be
 * tested at the moment is assumed to work; otherwise the start will fail with the reason.
 */
export async function* installJava(version: JavaVersion, options: JavaOptions): Steps<string> {
  const { builds, run } = options;
  if (builds.isTaken(version)) yield { progress: `Waiting for another installation of Java ${version}.` };
  const release = await builds.take(version, run.signal);
  try {
    const { folder } = await builds.current(version);
    if ((await tryJava(folder, version)) !== 'unusable') {
      await builds.noteUse(version, new Date());
      return programIn(folder);
    }
    yield { progress: `Looking for Java ${version}.` };
    const found = await findJava(options.vendor, version, run.signal);
    const place = (await builds.folders(version)).includes(folder)
      ? await builds.newFolder(version, found.release)
      : folder;
    const program = yield* fetchJava(version, { found, folder: place }, options);
    await builds.setCurrent(version, { folder: place, release: found.release });
    return program;
  } finally {
    release();
  }
}

/**
 * Installs the newest build of an installed major version, beside the one that servers may be running on; later starts use it. Returns the
 * current build, and whether it is new. Throws `runtime_not_found`.
 */
export async function* updateJava(
  version: JavaVersion,
  options: JavaOptions,
): Steps<{ release: string; updated: boolean }> {
  const { builds, run } = options;
  const release = await builds.take(version, run.signal);
  try {
    if (!(await builds.installed()).includes(version))
      throw new GamekeeperError('runtime_not_found', `Java ${version} is not installed.`);
    const before = await builds.current(version);
    const found = await findJava(options.vendor, version, run.signal);
    if (found.release === before.release && (await tryJava(before.folder, version)) !== 'unusable')
      return { release: found.release, updated: false };
    const folder = await builds.newFolder(version, found.release);
    yield* fetchJava(version, { found, folder }, options);
    await builds.setCurrent(version, { folder, release: found.release });
    return { release: found.release, updated: true };
  } finally {
    release();
  }
}

/** Installs into a new folder, because servers may be running on any existing one. */
async function* fetchJava(
  version: JavaVersion,
  { found, folder }: { found: JavaPackage; folder: string },
  options: JavaOptions,
): Steps<string> {
  const { builds, downloads, scratch, vendor } = options;
  const { signal, phase } = options.run;
  const runtimes = builds.folder;
  const title = `Java ${version}`;
  const { url, sha256, size, release } = found;
  await mkdir(runtimes, { recursive: true, mode: 0o755 });
  await requireSpace(runtimes, size * (1 + UNPACKED_RATIO), title);
  const digest = { algorithm: 'sha256', hex: sha256 } as const;
  const fetching = fetchFile({ vendor, url, bytes: size, digest }, downloads, { signal, title, phase: phase(size) });
  const { file: archive } = yield* fetching;
  const staging = path.join(runtimes, `.java-${version}-${randomBytes(4).toString('hex')}.partial`);
  await scratch.use(staging, async () => {
    const root = await unpack(archive, staging, signal);
    const outcome = await tryJava(root, version);
    if (outcome === 'busy') throw unusable(title, `${release} could not be tried out: the machine is too busy`);
    if (outcome === 'unusable') throw unusable(title, `${release} does not run on this machine`);
    await rename(root, folder);
    await syncDirectory(runtimes);
  });
  await rm(archive, { force: true });
  yield { progress: `Installed ${title} (${release}).` };
  return programIn(folder);
}

/**
 * Unpacks a verified archive and returns the one folder in it. The system's tar handles the vendor's formats (including the ZIP for
 * Windows), drops leading slashes and refuses `..`; links that leave the folder are refused here.
 */
async function unpack(archive: string, folder: string, signal: AbortSignal): Promise<string> {
  await mkdir(folder);
  try {
    await run('tar', ['-xf', archive, '-C', folder, '--no-same-owner'], { signal });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw unusable('Java', 'its archive could not be unpacked', error);
  }
  const [root, ...others] = await readdir(folder);
  if (root === undefined || others.length > 0)
    throw unusable('Java', 'its archive does not contain exactly one folder');
  await refuseEscapingLinks(path.join(folder, root));
  return path.join(folder, root);
}

async function refuseEscapingLinks(root: string): Promise<void> {
  const home = await realpath(root);
  for (const item of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!item.isSymbolicLink()) continue;
    const target = await realpath(path.join(item.parentPath, item.name)).catch(() => undefined);
    if (!target?.startsWith(home + path.sep))
      throw unusable('Java', `its archive contains a link that leaves its folder (${item.name})`);
  }
}

async function tryJava(folder: string, version: JavaVersion): Promise<'usable' | 'unusable' | 'busy'> {
  const outcome = await probeJava(await programIn(folder));
  if (outcome === 'busy') return 'busy';
  return outcome === Number(version) ? 'usable' : 'unusable';
}

/** Archives for macOS contain a bundle, with the runtime inside. */
async function programIn(folder: string): Promise<string> {
  const bundle = path.join(folder, 'Contents', 'Home');
  const isBundle = await lstat(bundle).then(
    () => true,
    () => false, // not there, as on other systems
  );
  return path.join(isBundle ? bundle : folder, 'bin', PROGRAM);
}

function unusable(title: string, why: string, cause?: unknown): GamekeeperError {
  return new GamekeeperError('installation_failed', `${title} could not be installed: ${why}.`, {
    resolution: 'Set another javaVersion, or try again later.',
    cause,
  });
}
