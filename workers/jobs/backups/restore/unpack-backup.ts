import path from 'node:path';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { removeTree } from '../../../../shared/node/files/remove-tree.ts';
import type { JobRun } from '../../queue/job-entry.ts';
import { missingArchive } from '../archive-damage.ts';
import type { BackupParts } from '../backup-parts.ts';
import { localState } from '../catalogue/backup-view.ts';
import type { CatalogueEntry } from '../catalogue/catalogue.ts';
import { isDamage } from '../is-damage.ts';
import { copiesOf, fetchArchive } from './fetch-archive.ts';

/** Where a backup could be unpacked from. Throws `backup_damaged` where neither the archive nor a copy is known to be there. */
export async function requireSource(entry: CatalogueEntry, parts: BackupParts) {
  const local = await localState(entry, parts.files);
  const copies = copiesOf(entry, (await parts.settings()).backups, parts);
  if (local === 'missing' && copies.length === 0) throw missingArchive();
  return { local, copies };
}

/** Unpacks a backup into a folder that is not there yet. The caller removes it if this fails. */
export type Unpacking = (target: string, signal: AbortSignal) => Promise<void>;

/**
 * Announces the work of unpacking a backup, and resolves to how to do it: from the archive on this machine, or, where that is missing or
 * turns out to be damaged, from a copy, which is brought back first. Throws `backup_damaged` where there is neither.
 */
export async function planUnpacking(entry: CatalogueEntry, run: JobRun, parts: BackupParts): Promise<Unpacking> {
  const { local, copies } = await requireSource(entry, parts);
  const fetchFirst = local !== 'present' && copies.length > 0;
  const downloading = run.phase(fetchFirst ? (copies[0]?.object.sizeBytes ?? 0) : 0);
  const reading = run.phase(fetchFirst ? entry.sizeBytes + entry.sourceBytes : 0);
  const unpacking = run.phase(entry.sizeBytes + entry.sourceBytes);

  async function extract(from: CatalogueEntry, target: string, signal: AbortSignal): Promise<void> {
    const { sha256, sourceBytes } = from;
    const archive = parts.files.pathOf(from);
    const task = { archive, target, sha256, sourceBytes, progress: unpacking.progress.memory };
    const { fileCount } = await parts.pool.run('extract', task, signal);
    if (fileCount !== from.fileCount)
      throw new GamekeeperError(
        'backup_damaged',
        'The backup is damaged. It does not hold as many files as it should.',
      );
  }

  return async (target, signal) => {
    const fetch = () => fetchArchive({ entry, signal, downloading, reading, unpackIn: path.dirname(target) }, parts);
    if (fetchFirst) return extract(await fetch(), target, signal);
    try {
      await extract(entry, target, signal);
      parts.catalogue.note(entry, { localDamage: false });
    } catch (error) {
      if (!isDamage(error)) throw error;
      parts.catalogue.note(entry, { localDamage: true });
      if (copies.length === 0) throw error;
      parts.log.warn({ err: error, instance: entry.instanceId, backup: entry.backupId }, 'the archive is damaged');
      await removeTree(target);
      await extract(await fetch(), target, signal);
    }
  };
}
