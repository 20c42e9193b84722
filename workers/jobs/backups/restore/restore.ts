import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { isMissing } from '../../../../shared/node/files/is-missing.ts';
import type { InstanceConfig } from '../../../../shared/schema/instance.ts';
import type { Progress } from '../../../pool/progress.ts';
import type { JobRun } from '../../queue/job-entry.ts';
import { lockFolder } from '../../resources/folder-lease.ts';
import type { BackupParts } from '../backup-parts.ts';
import type { CatalogueEntry } from '../catalogue/catalogue.ts';
import { archiveHeldFolder } from '../create-backup.ts';
import { replaceFolder, type SwapParts } from './folder-swap.ts';
import { type SwapPlace, swapPlace } from './swap-place.ts';
import { planUnpacking, type Unpacking } from './unpack-backup.ts';

/** Of a folder that a restore makes where none was. */
const DEFAULT_FOLDER_MODE = 0o755;
const KEY_DIGITS = 12;

export type RestoreParts = BackupParts & SwapParts;

export interface RestoreOrder {
  config: InstanceConfig;
  /** The backup. */
  entry: CatalogueEntry;
}

/**
 * Brings a stopped instance's folder back to what a backup holds. Nothing of the folder is touched before the archive has been verified
 * and unpacked beside it and what is there has been backed up; then the two change places. Whatever fails until then, or in that
 * moment, leaves the folder as it was.
 */
export async function restoreBackup(order: RestoreOrder, run: JobRun, parts: RestoreParts): Promise<void> {
  const held = await lockFolder({ instanceId: order.config.id, activity: 'restoring', signal: run.signal }, parts);
  try {
    await restoreHeldFolder(order, { ...run, signal: AbortSignal.any([run.signal, held.lost]) }, parts);
  } catch (error) {
    throw withFolderError(error, order.config);
  } finally {
    await held.release();
  }
}

async function restoreHeldFolder({ config, entry }: RestoreOrder, run: JobRun, parts: RestoreParts): Promise<void> {
  const place = await swapPlace(config.directory, parts.randomHex(KEY_DIGITS));
  const unpack = await planUnpacking(entry, run, parts);
  // The folder has not been looked at yet; it is likely to be about as large as it was then.
  const backingUp = run.phase(entry.sourceBytes);
  const { signal } = run;
  await replaceFolder(
    {
      instanceId: config.id,
      place,
      async fill() {
        await fillStaging(place, unpack, signal);
        const leftOut = await backUpFirst({ config, place, signal, progress: backingUp.progress }, parts);
        backingUp.end();
        // From here on it is a matter of milliseconds: no cancelling any more.
        signal.throwIfAborted();
        return leftOut;
      },
    },
    parts,
  );
}

async function fillStaging(place: SwapPlace, unpack: Unpacking, signal: AbortSignal): Promise<void> {
  if (!place.whole) await mkdir(place.scratch, { mode: 0o700 });
  const mode = await stat(place.folder).then(
    (stats) => stats.mode & 0o7777,
    // There is none: it was deleted.
    () => DEFAULT_FOLDER_MODE,
  );
  await unpack(place.staging, signal);
  await chmod(place.staging, mode);
}

interface SafetyBackup {
  config: InstanceConfig;
  place: SwapPlace;
  signal: AbortSignal;
  progress: Progress;
}

/** The safety backup. Resolves to what is in the folder but in no backup. */
async function backUpFirst({ config, place, ...around }: SafetyBackup, parts: RestoreParts): Promise<string[]> {
  if ((await isMissing(place.folder)) || (await readdir(place.folder)).length === 0) return [];
  const order = { config, reason: 'before-restore', cloudReplicate: false, isStill: async () => true } as const;
  return (await archiveHeldFolder(order, around, parts)).leftOut;
}

/** What the system refused, for the owner: renames fail where permissions are missing or, on Windows, files are open. */
function withFolderError(error: unknown, { id }: InstanceConfig): unknown {
  if (error instanceof GamekeeperError || !(error instanceof Error && 'code' in error)) return error;
  return new GamekeeperError(
    'invalid_state',
    `The folder of "${id}" could not be replaced (${error.code}). It is as it was.`,
    {
      resolution:
        'Make sure that Gamekeeper may write to it and to the folder above it, and that no program has it open.',
      cause: error,
    },
  );
}
