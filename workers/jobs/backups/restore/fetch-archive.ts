import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { syncDirectory } from '../../../../shared/node/files/atomic-file.ts';
import type { Settings } from '../../../../shared/schema/settings.ts';
import type { Phase } from '../../queue/job-progress.ts';
import type { BackupParts } from '../backup-parts.ts';
import type { CatalogueEntry } from '../catalogue/catalogue.ts';
import { manifestOf, writeManifest } from '../catalogue/manifest.ts';
import { requireDiskSpace } from '../check-disk-space.ts';
import { isDamage } from '../is-damage.ts';
import { decryptCopy, ENCRYPTED_SUFFIX } from '../replication/encrypted-copies.ts';
import type { KeptReplica } from '../replication/replicas.ts';
import { withStore } from '../replication/with-store.ts';
import type { StoredObject } from '../stores/store.ts';
import { localSize } from '../stores/transfer/local-file.ts';
import { downloadOf, partialOf, removeDownloads } from './downloads.ts';

type BackupSettings = Settings['backups'];
type WholeReplica = KeptReplica & { object: StoredObject };

export interface Fetching {
  entry: CatalogueEntry;
  signal: AbortSignal;
  downloading: Phase;
  /** And decrypting. */
  reading: Phase;
  /** What the archive is fetched for: where it will be unpacked. */
  unpackIn: string;
}

/** The copies that an archive could be fetched from, in the order of the settings. */
export function copiesOf(
  entry: CatalogueEntry,
  { stores = [] }: BackupSettings,
  { replicas }: BackupParts,
): WholeReplica[] {
  const rows = replicas.of(entry);
  return stores.flatMap(({ name }) =>
    rows.flatMap(({ object, ...row }) =>
      row.store === name && row.state === 'replicated' && object ? [{ ...row, object }] : [],
    ),
  );
}

/**
 * Brings the archive of a backup back to this machine from the first store that has a whole copy, in the place of a damaged one. Nothing
 * takes its name before its hash is the catalogue's. Resolves to the entry as it is then. Throws `backup_damaged` when no copy can be had.
 */
export async function fetchArchive(fetching: Fetching, parts: BackupParts): Promise<CatalogueEntry> {
  const { entry, signal } = fetching;
  const { backups } = await parts.settings();
  const reasons: string[] = [];
  for (const row of copiesOf(entry, backups, parts)) {
    try {
      return await fetchFrom(row, fetching, { backups, parts });
    } catch (error) {
      if (signal.aborted || !(error instanceof GamekeeperError) || error.code === 'insufficient_storage') throw error;
      if (isDamage(error)) noteDamage(row, error, parts);
      parts.log.warn(
        { err: error, instance: row.instanceId, backup: row.backupId, store: row.store },
        'no copy from there',
      );
      reasons.push(error.message);
    }
  }
  const why = reasons.length === 0 ? 'There is no copy of it.' : reasons.join(' ');
  throw new GamekeeperError('backup_damaged', `The archive on this machine is missing or damaged. ${why}`, {
    resolution: 'Make the store work that holds a copy, or use another backup.',
  });
}

async function fetchFrom(
  row: WholeReplica,
  { entry, signal, downloading, reading, unpackIn }: Fetching,
  { backups, parts }: { backups: BackupSettings; parts: BackupParts },
): Promise<CatalogueEntry> {
  const { object } = row;
  const store = backups.stores?.find(({ name }) => name === row.store);
  if (!store) throw new GamekeeperError('store_refused', `The store "${row.store}" is not in the settings any more.`);
  const isEncrypted = object.key.endsWith(ENCRYPTED_SUFFIX);
  const archive = await parts.files.prepare(entry, { directory: backups.directory });
  const download = downloadOf(archive, object);
  const resumed = await localSize(partialOf(download));
  await requireDiskSpace([
    {
      directory: path.dirname(archive),
      bytes: Math.max(0, object.sizeBytes - resumed) + (isEncrypted ? entry.sizeBytes : 0),
    },
    { directory: unpackIn, bytes: entry.sourceBytes },
  ]);
  const attempt = async () => {
    await withStore(store, parts, async (opened) => {
      if ((await opened.stat(object.key, signal)) === null) throw new MissingCopy(row);
      await opened.get(object.key, download, {
        signal,
        onProgress: (bytes) => downloading.progress.advance(bytes),
        bytesPerSecond: backups.bandwidth?.downloadBytesPerSecond,
      });
    });
    const { sha256, sourceBytes } = entry;
    const { progress } = reading;
    if (isEncrypted) {
      const encryption = backups.encryption ?? {};
      await decryptCopy({ copy: download, target: archive, sha256 }, { encryption, signal, progress }, parts.pool);
    } else {
      const task = { archive: download, sha256, sourceBytes, progress: progress.memory };
      const { damage } = await parts.pool.run('verify', task, signal);
      if (damage !== null) throw new GamekeeperError('backup_damaged', damage);
      await rename(download, archive);
      await syncDirectory(path.dirname(archive));
    }
  };
  downloading.progress.expect(object.sizeBytes);
  try {
    await attempt().catch(async (error: unknown) => {
      if (resumed === 0 || !isDamage(error) || error instanceof MissingCopy) throw error;
      // The beginning may have been on this disk for long, and through a power cut: that says nothing about the copy.
      await removeDownloads(archive);
      downloading.progress.advance(-object.sizeBytes);
      await attempt();
    });
    await removeDownloads(archive);
  } catch (error) {
    await rm(download, { force: true });
    if (!isCutOff(error)) await rm(partialOf(download), { force: true });
    throw error;
  }
  parts.replicas.update(row, { checkedAt: parts.now().toISOString() });
  return recordPlace(entry, archive, parts);
}

/** Another attempt goes on where this one ended. */
function isCutOff(error: unknown): boolean {
  return error instanceof GamekeeperError && CUT_OFF.includes(error.code);
}

const CUT_OFF: readonly string[] = ['store_unavailable', 'store_refused', 'shutting_down', 'worker_unavailable'];

class MissingCopy extends GamekeeperError {
  constructor({ store }: WholeReplica) {
    super('backup_damaged', `The store "${store}" does not have its copy any more.`);
  }
}

/** The configured folder may be another one than it was when the backup was made. */
async function recordPlace(
  entry: CatalogueEntry,
  archive: string,
  { files, catalogue }: BackupParts,
): Promise<CatalogueEntry> {
  const before = files.pathOf(entry);
  catalogue.setFile(entry, files.toFile(archive));
  catalogue.note(entry, { localDamage: false });
  if (before !== archive) for (const file of [before, manifestOf(before)]) await rm(file, { force: true });
  await writeManifest(archive, entry);
  return catalogue.get(entry);
}

/** A copy that is not there, or not whole, is made anew when the archive is back. */
function noteDamage(row: WholeReplica, error: GamekeeperError, { replicas, now }: BackupParts): void {
  const state = error instanceof MissingCopy ? 'missing' : 'damaged';
  replicas.update(row, { state, error: error.message, nextAttemptAt: now().getTime() });
}
