import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ErrorCode } from '../../../../shared/errors/catalogue.ts';
import { GamekeeperError, isGamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { syncDirectory } from '../../../../shared/node/files/atomic-file.ts';
import { requireSpace } from '../../../../shared/node/files/disk-space.ts';
import { isMissing } from '../../../../shared/node/files/is-missing.ts';
import type { Logger } from '../../../../shared/node/logger.ts';
import type { StoreSettings } from '../../../../shared/schema/backup-settings.ts';
import type { Phase } from '../../queue/job-progress.ts';
import type { Pool } from '../../resources/pool.ts';
import { isDamage } from '../archive-damage.ts';
import { type BackupSettings, type BackupStorage, withStore } from '../backup-storage.ts';
import type { CatalogueEntry } from '../catalogue/catalogue.ts';
import { manifestOf, writeManifest } from '../catalogue/manifest.ts';
import { decryptCopy, ENCRYPTED_SUFFIX } from '../replication/encrypted-copies.ts';
import type { KeptReplica, Replicas } from '../replication/replicas.ts';
import type { StoredObject } from '../stores/store.ts';
import { localSize } from '../stores/transfer/local-file.ts';
import { downloadOf, partialOf, removeDownloads } from './downloads.ts';

type WholeReplica = KeptReplica & { object: StoredObject };

export interface FetchOptions {
  storage: BackupStorage;
  pool: Pool;
  log: Logger;
}

export interface FetchOrder {
  entry: CatalogueEntry;
  signal: AbortSignal;
  downloading: Phase;
  /** Verifying or decrypting the download. */
  reading: Phase;
  /** The folder in which the archive will be unpacked. */
  unpackIn: string;
}

/** Returns the copies that an archive can be fetched from, in the order of the settings. */
export function copiesOf(
  entry: CatalogueEntry,
  { stores = [] }: BackupSettings,
  { replicas }: { replicas: Replicas },
): WholeReplica[] {
  const rows = replicas.of(entry);
  return stores.flatMap(({ name }) =>
    rows.flatMap(({ object, ...row }) =>
      row.store === name && row.state === 'replicated' && object ? [{ ...row, object }] : [],
    ),
  );
}

/**
 * Fetches the archive of a backup from the first store with a whole copy, and replaces the damaged archive on this machine. The download
 * gets the archive's name only once its hash is the catalogue's. Returns the updated entry. Throws `backup_damaged` if no copy can be had.
 */
export async function fetchArchive(order: FetchOrder, options: FetchOptions): Promise<CatalogueEntry> {
  const { entry, signal } = order;
  const { storage, log } = options;
  const settings = await storage.settings();
  const reasons: string[] = [];
  for (const row of copiesOf(entry, settings, storage)) {
    try {
      return await fetchFrom({ row, settings }, order, options);
    } catch (error) {
      if (signal.aborted || !(error instanceof GamekeeperError) || error.code === 'insufficient_storage') throw error;
      if (isDamage(error)) noteDamage(row, error, storage);
      const where = { instance: row.instanceId, backup: row.backupId, store: row.store };
      log.warn({ err: error, ...where }, 'could not fetch a copy');
      reasons.push(error.message);
    }
  }
  const why = reasons.length === 0 ? 'No store has a copy.' : reasons.join(' ');
  throw new GamekeeperError('backup_damaged', `The archive on this machine is missing or damaged. ${why}`, {
    resolution: 'Fix the store that holds a copy, or use another backup.',
  });
}

async function fetchFrom(
  { row, settings }: { row: WholeReplica; settings: BackupSettings },
  order: FetchOrder,
  options: FetchOptions,
): Promise<CatalogueEntry> {
  const { object } = row;
  const { entry, downloading, unpackIn } = order;
  const { storage } = options;
  const store = settings.stores?.find(({ name }) => name === row.store);
  if (!store) throw new GamekeeperError('store_refused', `The store "${row.store}" is not in the settings any more.`);
  const archive = await storage.files.prepare(entry, { directory: settings.directory });
  const download = downloadOf(archive, object);
  const resumed = await localSize(partialOf(download));
  const decrypted = isEncrypted(object) ? entry.sizeBytes : 0;
  await requireDiskSpace([
    { directory: path.dirname(archive), bytes: Math.max(0, object.sizeBytes - resumed) + decrypted },
    { directory: unpackIn, bytes: entry.sourceBytes },
  ]);
  const attempt = () => downloadAndCheck({ row, store, settings, download, archive }, order, options);
  downloading.progress.expect(object.sizeBytes);
  try {
    await attempt().catch(async (error: unknown) => {
      if (resumed === 0 || !isDamage(error) || error instanceof MissingCopy) throw error;
      // The resumed part may have been damaged on this disk, by a power cut for example. That says nothing about the copy.
      await removeDownloads(archive);
      downloading.progress.advance(-object.sizeBytes);
      await attempt();
    });
    await removeDownloads(archive);
  } catch (error) {
    await rm(download, { force: true });
    if (!isResumable(error)) await rm(partialOf(download), { force: true });
    throw error;
  }
  storage.replicas.update(row, { checkedAt: new Date().toISOString() });
  return recordPlace(entry, archive, storage);
}

interface Download {
  row: WholeReplica;
  store: StoreSettings;
  settings: BackupSettings;
  download: string;
  archive: string;
}

async function downloadAndCheck(
  { row, store, settings, download, archive }: Download,
  { entry, signal, downloading, reading }: FetchOrder,
  { storage, pool }: FetchOptions,
): Promise<void> {
  const { object } = row;
  await withStore(storage, store, async (opened) => {
    if ((await opened.stat(object.key, signal)) === null) throw new MissingCopy(row);
    await opened.get(object.key, download, {
      signal,
      onProgress: (bytes) => downloading.progress.advance(bytes),
      bytesPerSecond: settings.bandwidth?.downloadBytesPerSecond,
    });
  });
  const { sha256, sourceBytes } = entry;
  const { progress } = reading;
  if (isEncrypted(object)) {
    const encryption = settings.encryption ?? {};
    await decryptCopy({ copy: download, target: archive, sha256 }, { encryption, signal, progress }, pool);
    return;
  }
  const task = { archive: download, sha256, sourceBytes, progress: progress.memory };
  const { damage } = await pool.run('verify', task, signal);
  if (damage !== null) throw new GamekeeperError('backup_damaged', damage);
  await rename(download, archive);
  await syncDirectory(path.dirname(archive));
}

function isEncrypted({ key }: StoredObject): boolean {
  return key.endsWith(ENCRYPTED_SUFFIX);
}

function isResumable(error: unknown): boolean {
  return isGamekeeperError(error, ...RESUMABLE);
}

const RESUMABLE: readonly ErrorCode[] = ['store_unavailable', 'store_refused', 'shutting_down', 'worker_unavailable'];

class MissingCopy extends GamekeeperError {
  constructor({ store }: WholeReplica) {
    super('backup_damaged', `The copy in the store "${store}" is gone.`);
  }
}

/** `backups.directory` may have changed since the backup was made. */
async function recordPlace(
  entry: CatalogueEntry,
  archive: string,
  { files, catalogue }: BackupStorage,
): Promise<CatalogueEntry> {
  const before = files.pathOf(entry);
  catalogue.setFile(entry, files.toFile(archive));
  catalogue.note(entry, { localDamage: false });
  if (before !== archive) for (const file of [before, manifestOf(before)]) await rm(file, { force: true });
  await writeManifest(archive, entry);
  return catalogue.get(entry);
}

/** Queues a missing or damaged copy to be made again once the archive is back. */
function noteDamage(row: WholeReplica, error: GamekeeperError, { replicas }: BackupStorage): void {
  const state = error instanceof MissingCopy ? 'missing' : 'damaged';
  replicas.update(row, { state, error: error.message, nextAttemptAt: Date.now() });
}

/** Throws `insufficient_storage` unless all of it fits. Needs on the same disk add up; the folders need not exist yet. */
async function requireDiskSpace(needs: readonly { directory: string; bytes: number }[]): Promise<void> {
  const disks = new Map<number, { directory: string; bytes: number }>();
  for (const { directory, bytes } of needs) {
    const existing = await nearestFolder(directory);
    const { dev } = await stat(existing);
    disks.set(dev, { directory: existing, bytes: bytes + (disks.get(dev)?.bytes ?? 0) });
  }
  for (const { directory, bytes } of disks.values()) await requireSpace(directory, bytes, 'The restore');
}

async function nearestFolder(directory: string): Promise<string> {
  return (await isMissing(directory)) ? nearestFolder(path.dirname(directory)) : directory;
}
