import { randomBytes } from 'node:crypto';
import { chmod, constants, copyFile, lstat, mkdir, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { removeTree } from '../../../shared/node/files/remove-tree.ts';
import { Progress } from '../../pool/progress.ts';
import type { Pool } from '../resources/pool.ts';
import type { Scratch } from '../resources/scratch.ts';

export interface ArchiveInstall {
  archive: string;
  directory: string;
  /** Globs of files that are kept if they exist. */
  keep: readonly string[];
  executables: readonly string[];
  staging: string;
}

export interface UnpackOptions {
  scratch: Scratch;
  pool: Pool;
}

/** Unpacks a vendor's ZIP over a server's folder; the pool's extractor checks it first. Throws `installation_failed`. */
export async function unpackArchive(
  install: ArchiveInstall,
  { scratch, pool }: UnpackOptions,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(install.staging, { recursive: true });
  const target = path.join(await realpath(install.staging), `unpacked-${randomBytes(4).toString('hex')}`);
  await scratch.use(target, () => unpackThrough(target, install, pool, signal));
}

async function unpackThrough(
  target: string,
  { archive, directory, keep, executables }: ArchiveInstall,
  pool: Pool,
  signal: AbortSignal,
): Promise<void> {
  const progress = new Progress().memory;
  try {
    const { sha256, sourceBytes } = await pool.run('inspect', { archive, progress }, signal);
    await pool.run('extract', { archive, target, sha256, sourceBytes, progress }, signal);
    await mkdir(directory, { recursive: true });
    const home = await realpath(directory);
    for (const item of await readdir(target, { recursive: true, withFileTypes: true })) {
      signal.throwIfAborted();
      if (!item.isFile()) continue;
      const from = path.join(item.parentPath, item.name);
      const name = path.relative(target, from);
      const to = path.join(home, name);
      const isKept = keep.some((glob) => path.matchesGlob(name, glob)) && (await isThere(to));
      if (!isKept) await putFile(from, to, home);
    }
    for (const name of executables) if (await isThere(path.join(home, name))) await chmod(path.join(home, name), 0o755);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof GamekeeperError && error.code !== 'backup_damaged') throw error;
    throw new GamekeeperError('installation_failed', 'The downloaded file is not a valid ZIP.', {
      cause: error,
    });
  }
}

/** Never writes through a link that leaves the folder (CVE-2023-25152). */
async function putFile(from: string, to: string, home: string): Promise<void> {
  const folder = path.dirname(to);
  await mkdir(folder, { recursive: true });
  const real = await realpath(folder);
  if (real !== home && !real.startsWith(home + path.sep))
    throw new GamekeeperError(
      'installation_failed',
      `${path.relative(home, folder)} is a link that leads out of the server's folder.`,
      {
        resolution: 'Replace the link with a folder.',
      },
    );
  await removeTree(to);
  await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
}

async function isThere(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false, // not there
  );
}
