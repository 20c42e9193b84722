import { chownSync } from 'node:fs';
import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { withStorageError } from '../../../../shared/node/files/disk-space.ts';
import { isMissing } from '../../../../shared/node/files/is-missing.ts';
import { giveTo, ownerOf } from '../../../../shared/node/files/owner.ts';
import { TreeCursor } from '../../../../shared/node/files/tree-cursor.ts';
import type { InstanceConfig } from '../../../../shared/schema/instance.ts';
import type { Progress } from '../../../pool/progress.ts';
import type { JobRun } from '../../queue/job-entry.ts';
import { lockFolder } from '../../resources/folder-lease.ts';
import { randomHex } from '../../resources/random-hex.ts';
import type { CatalogueEntry } from '../catalogue/catalogue.ts';
import { archiveLockedFolder, type CreateBackupOptions } from '../create-backup.ts';
import { type FolderSwapOptions, replaceFolder } from './folder-swap.ts';
import { inNoBackup } from './path-moves.ts';
import { type SwapPlace, swapPlace } from './swap-place.ts';
import { planUnpacking, type Unpacking } from './unpack-backup.ts';

/** Mode of a folder that was missing and is created by the restore. */
const DEFAULT_FOLDER_MODE = 0o700;
const KEY_DIGITS = 12;

export interface RestoreOptions extends CreateBackupOptions {
  swap: FolderSwapOptions;
}

export interface RestoreOrder {
  config: InstanceConfig;
  entry: CatalogueEntry;
  /** Restores only these files and folders, relative paths, none inside another. Default: everything. */
  paths?: readonly string[];
}

/**
 * Restores the folder of a stopped instance from a backup. The folder stays untouched until the archive has been verified and unpacked
 * beside it, and the present content has been backed up; then the two are swapped. A failure before or during the swap leaves the folder
 * as it was.
 */
export async function restoreBackup(order: RestoreOrder, run: JobRun, options: RestoreOptions): Promise<void> {
  await withLockedFolder(order.config, run, options, (locked) => restoreLockedFolder(order, locked, options));
}

/** Runs work that replaces content of a stopped instance's folder, while nothing else changes it. The run ends if the lock is lost. */
export async function withLockedFolder(
  config: InstanceConfig,
  run: JobRun,
  options: RestoreOptions,
  work: (run: JobRun) => Promise<void>,
): Promise<void> {
  const request = { instanceId: config.id, activity: 'restoring', signal: run.signal } as const;
  const lease = await lockFolder(request, options);
  try {
    await work({ ...run, signal: AbortSignal.any([run.signal, lease.lost]) });
  } catch (error) {
    throw withFolderError(withStorageError(error, 'the restore'), config);
  } finally {
    await lease.release();
  }
}

async function restoreLockedFolder(
  { config, entry, paths }: RestoreOrder,
  run: JobRun,
  options: RestoreOptions,
): Promise<void> {
  const unpack = await planUnpacking({ entry, only: paths }, run, options);
  // An estimate: the folder is likely to be about as large as it was at the time of the backup.
  const backingUp = run.phase(entry.sourceBytes);
  const fill = async (place: SwapPlace) => {
    await fillStaging(place, unpack, run.signal);
    return paths;
  };
  await replaceLockedFolder({ config, fill, keepsLeftOut: true, backingUp }, run.signal, options);
}

export interface Replacing {
  config: InstanceConfig;
  /** Fills `place.staging`, whose folder exists if it is not the staging folder itself. Resolves to the relative paths to replace; `undefined`: all. */
  fill(place: SwapPlace): Promise<readonly string[] | undefined>;
  /** False: what backups leave out of a replaced folder does not return to it, so the work is refused if there is anything. */
  keepsLeftOut: boolean;
  /** Of the backup of the present content. */
  backingUp: ReturnType<JobRun['phase']>;
}

/** Replaces all or some of a folder that the caller has locked, after a backup of what is there. A failure leaves the folder as it was. */
export async function replaceLockedFolder(
  { config, fill, keepsLeftOut, backingUp }: Replacing,
  signal: AbortSignal,
  options: RestoreOptions,
): Promise<void> {
  const place = await swapPlace(config.directory, randomHex(KEY_DIGITS));
  const fillAndBackUp = async () => {
    if (!place.whole) await mkdir(place.scratch, { mode: 0o700 });
    const paths = await fill(place);
    const leftOut = await backUpFirst({ config, place, signal, progress: backingUp.progress }, options);
    backingUp.end();
    const lost = keepsLeftOut ? undefined : leftOut.find((name) => paths?.some((one) => name.startsWith(`${one}/`)));
    if (lost !== undefined) throw inNoBackup(lost);
    // The last moment to cancel: the swap takes milliseconds.
    signal.throwIfAborted();
    return { leftOut, paths };
  };
  await replaceFolder({ instanceId: config.id, place, fill: fillAndBackUp }, options.swap);
}

async function fillStaging(place: SwapPlace, unpack: Unpacking, signal: AbortSignal): Promise<void> {
  const former = await stat(place.folder).catch(() => undefined); // it was deleted
  await unpack(place.staging, signal);
  // Opened, since a link may take its place if others can write to the folder around it.
  using cursor = new TreeCursor(place.staging);
  const staging = cursor.enter('');
  giveTo(former && ownerOf(former), (uid, gid) => chownSync(staging, uid, gid));
  await chmod(staging, former ? former.mode & 0o7777 : DEFAULT_FOLDER_MODE);
}

interface SafetyBackup {
  config: InstanceConfig;
  place: SwapPlace;
  signal: AbortSignal;
  progress: Progress;
}

/** Backs up the present content. Returns the relative paths that are in the folder but in no backup. */
async function backUpFirst({ config, place, ...around }: SafetyBackup, options: RestoreOptions): Promise<string[]> {
  if ((await isMissing(place.folder)) || (await readdir(place.folder)).length === 0) return [];
  const order = { config, reason: 'before-restore', cloudReplicate: false, isStill: async () => true } as const;
  return (await archiveLockedFolder(order, around, options)).leftOut;
}

/** Explains system errors: renames fail if permissions are missing or, on Windows, if files are open. */
function withFolderError(error: unknown, { id }: InstanceConfig): unknown {
  if (error instanceof GamekeeperError || !(error instanceof Error && 'code' in error)) return error;
  return new GamekeeperError(
    'invalid_state',
    `The folder of "${id}" could not be replaced (${error.code}). It is unchanged.`,
    {
      resolution:
        'Make sure that Gamekeeper may write to it and to the folder above it, and that no program has it open.',
      cause: error,
    },
  );
}
