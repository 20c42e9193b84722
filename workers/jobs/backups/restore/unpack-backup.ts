import path from 'node:path';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { removeTree } from '../../../../shared/node/files/remove-tree.ts';
import type { JobRun } from '../../queue/job-entry.ts';
import { isDamage, missingArchive } from '../archive-damage.ts';
import type { BackupStorage } from '../backup-storage.ts';
import { localState } from '../catalogue/backup-view.ts';
import type { CatalogueEntry } from '../catalogue/catalogue.ts';
import { copiesOf, type FetchOptions, fetchArchive } from './fetch-archive.ts';

/** Returns the sources a backup can be unpacked from. Throws `backup_damaged` if there is neither an archive nor a copy. */
export async function requireSource(entry: CatalogueEntry, storage: BackupStorage) {
  const local = await localState(entry, storage.files);
  const copies = copiesOf(entry, await storage.settings(), storage);
  if (local === 'missing' && copies.length === 0) throw missingArchive();
  return { local, copies };
}

/** Unpacks a backup into a folder that does not exist yet. The caller removes the folder if this fails. */
export type Unpacking = (target: string, signal: AbortSignal) => Promise<void>;

/** Announces the work on all or `only` some of the backup, and returns the function that does it. A missing or damaged archive is fetched from a store first. */
export async function planUnpacking(
  { entry, only }: { entry: CatalogueEntry; only?: readonly string[] | undefined },
  run: JobRun,
  options: FetchOptions,
): Promise<Unpacking> {
  const { storage, pool, log } = options;
  const { local, copies } = await requireSource(entry, storage);
  const fetchFirst = local !== 'present' && copies.length > 0;
  const downloading = run.phase(fetchFirst ? (copies[0]?.object.sizeBytes ?? 0) : 0);
  const reading = run.phase(fetchFirst ? entry.sizeBytes + entry.sourceBytes : 0);
  const unpacking = run.phase(entry.sizeBytes + entry.sourceBytes);

  async function extract(from: CatalogueEntry, target: string, signal: AbortSignal): Promise<void> {
    const { sha256, sourceBytes } = from;
    const archive = storage.files.pathOf(from);
    const { memory } = unpacking.progress;
    const task = {
      archive,
      target,
      sha256,
      sourceBytes,
      owners: 'kept',
      progress: memory,
      ...(only && { only }),
    } as const;
    const { fileCount } = await pool.run('extract', task, signal);
    if (!only && fileCount !== from.fileCount)
      throw new GamekeeperError('backup_damaged', 'The backup is damaged. Its number of files is wrong.');
  }

  return async (target, signal) => {
    const fetch = () => fetchArchive({ entry, signal, downloading, reading, unpackIn: path.dirname(target) }, options);
    if (fetchFirst) return extract(await fetch(), target, signal);
    try {
      await extract(entry, target, signal);
      storage.catalogue.note(entry, { localDamage: false });
    } catch (error) {
      if (!isDamage(error)) throw error;
      storage.catalogue.note(entry, { localDamage: true });
      if (copies.length === 0) throw error;
      log.warn({ err: error, instance: entry.instanceId, backup: entry.backupId }, 'the archive is damaged');
      await removeTree(target);
      await extract(await fetch(), target, signal);
    }
  };
}
