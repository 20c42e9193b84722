import { once } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../../../shared/node/logger.ts';
import type { ArchivePlace } from '../../../pool/task-types.ts';
import { missingArchive } from '../archive-damage.ts';
import { type BackupSettings, type BackupStorage, withStore } from '../backup-storage.ts';
import { localState } from '../catalogue/backup-view.ts';
import type { CatalogueEntry } from '../catalogue/catalogue.ts';
import { ENCRYPTED_SUFFIX } from '../replication/encrypted-copies.ts';
import { copiesOf } from '../restore/fetch-archive.ts';
import type { Store } from '../stores/store.ts';
import { localSize } from '../stores/transfer/local-file.ts';
import type { RecentParts } from './recent-parts.ts';
import { serveParts } from './serve-parts.ts';

export interface AccessOptions {
  storage: BackupStorage;
  parts: RecentParts;
  log: Logger;
}

/** A thread's access to an archive. */
export interface Access {
  archive: ArchivePlace;
  /** To move to the thread. */
  ports: MessagePort[];
}

type Copy = ReturnType<typeof copiesOf>[number];

/**
 * Gives access to the archive on this machine or, if it is missing or damaged, to the first copy in a store that is there. Of a copy, only the
 * parts that are needed are fetched. Throws `backup_damaged` if there is neither.
 */
export async function withArchive<T>(
  entry: CatalogueEntry,
  { signal, work }: { signal: AbortSignal; work: (access: Access) => Promise<T> },
  options: AccessOptions,
): Promise<T> {
  const { storage } = options;
  const file = storage.files.pathOf(entry);
  const settings = await storage.settings();
  const copies = copiesOf(entry, settings, storage);
  const local = await localState(entry, storage.files);
  const isWhole = local !== 'missing' && (await localSize(file)) === entry.sizeBytes;
  if (isWhole && (local === 'present' || copies.length === 0)) return work({ archive: { file }, ports: [] });
  if (copies.length === 0) throw local === 'missing' ? missingArchive() : wrongSize();

  const reasons: string[] = [];
  for (const copy of copies) {
    const settled = await withCopy(copy, { settings, signal, work }, options);
    if ('is' in settled) return settled.is;
    reasons.push(settled.absent);
  }
  throw new GamekeeperError('backup_damaged', `The archive is not on this machine. ${reasons.join(' ')}`, {
    resolution: 'Fix the store that holds a copy, or use another backup.',
  });
}

interface CopyWork<T> {
  settings: BackupSettings;
  signal: AbortSignal;
  work: (access: Access) => Promise<T>;
}

/** Returns why the copy cannot be used if its store does not have it, so that the next one is tried. */
async function withCopy<T>(
  copy: Copy,
  { settings, signal, work }: CopyWork<T>,
  { storage, parts, log }: AccessOptions,
): Promise<{ is: T } | { absent: string }> {
  const store = settings.stores?.find(({ name }) => name === copy.store);
  if (!store) return { absent: `The store "${copy.store}" is not in the settings any more.` };
  return withStore(storage, store, async (opened) => {
    const absent = await whyAbsent(opened, copy, signal);
    if (absent !== undefined) {
      log.warn({ instance: copy.instanceId, backup: copy.backupId, store: copy.store }, 'could not read a copy');
      return { absent };
    }
    const { object } = copy;
    const encryption = object.key.endsWith(ENCRYPTED_SUFFIX) ? (settings.encryption ?? {}) : undefined;
    const { port1: port, port2 } = new MessageChannel();
    const bytesPerSecond = settings.bandwidth?.downloadBytesPerSecond;
    const left = new AbortController();
    serveParts(port, { store: opened, object, parts, signal: AbortSignal.any([signal, left.signal]), bytesPerSecond });
    try {
      const archive = { sizeBytes: object.sizeBytes, port: port2, ...(encryption && { encryption }) };
      return { is: await work({ archive, ports: [port2] }) };
    } finally {
      left.abort(new Error('nobody reads the copy any more'));
      port.close();
      await once(port, 'close');
    }
  });
}

async function whyAbsent(store: Store, { object }: Copy, signal: AbortSignal): Promise<string | undefined> {
  try {
    const found = await store.stat(object.key, signal);
    if (found?.sizeBytes === object.sizeBytes) return undefined;
    return found
      ? `The copy in the store "${store.name}" is damaged.`
      : `The copy in the store "${store.name}" is gone.`;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof GamekeeperError) return error.message;
    throw error;
  }
}

function wrongSize(): GamekeeperError {
  return new GamekeeperError('backup_damaged', 'The archive is damaged: its size has changed.');
}
