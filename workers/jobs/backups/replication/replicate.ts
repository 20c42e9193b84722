import { isMissing } from '../../../../shared/node/files/is-missing.ts';
import type { EncryptionSettings, StoreSettings } from '../../../../shared/schema/backup-settings.ts';
import type { JobRun } from '../../queue/job-entry.ts';
import type { Phase } from '../../queue/job-progress.ts';
import { isDamage, requireArchive } from '../archive-damage.ts';
import { type BackupStorage, withStore } from '../backup-storage.ts';
import type { BackupKey } from '../catalogue/archive-files.ts';
import type { CatalogueEntry } from '../catalogue/catalogue.ts';
import type { StoredObject } from '../stores/store.ts';
import { ENCRYPTED_SUFFIX } from './encrypted-copies.ts';
import type { ReplicaRow, Replicas } from './replicas.ts';

/** The bytes of a copy as they lie on this machine. */
type LocalObject = StoredObject & { file: string };

/**
 * After this many attempts, the store is considered away for a long time. Its encrypted file is removed, and made again when the store is
 * back.
 */
const ENCRYPTED_ATTEMPTS = 5;

/** Copies a backup to a store. The upload is recorded before its first byte, so it can be removed after any crash. */
export async function replicate(
  { row, store: settings }: { row: ReplicaRow; store: StoreSettings },
  run: JobRun,
  storage: BackupStorage,
): Promise<void> {
  const { replicas } = storage;
  const entry = storage.catalogue.get(row);
  const { bandwidth, encryption } = await storage.settings();
  replicas.update(row, { attempts: row.attempts + 1 });
  const encrypting = encryption && run.phase(entry.sizeBytes);
  const { progress } = run.phase(entry.sizeBytes);
  await requireArchive(entry, storage);
  try {
    const local =
      encryption && encrypting
        ? await encryptedObject(entry, { encryption, phase: encrypting, signal: run.signal }, storage)
        : plainObject(entry, storage);
    await withStore(storage, settings, async (store) => {
      const { file: _, ...object } = local;
      // Encryption was turned on or off since the last attempt, so the copy gets another name.
      if (row.object && row.object.key !== object.key) await store.remove(row.object.key, run.signal);
      replicas.update(row, { object });
      progress.expect(object.sizeBytes);
      await store.put(local, {
        signal: run.signal,
        onProgress: (bytes) => progress.advance(bytes),
        bytesPerSecond: bandwidth?.uploadBytesPerSecond,
        checkBytesPerSecond: bandwidth?.downloadBytesPerSecond,
      });
    });
  } catch (error) {
    if (isDamage(error)) await noteDamage(entry, storage);
    throw error;
  }
  const at = new Date().toISOString();
  replicas.update(row, { state: 'replicated', nextAttemptAt: null, error: null, replicatedAt: at, checkedAt: at });
}

/** Returns true while a copy still needs the encrypted file of a backup: it is being uploaded, and its store is not away for long. */
export function needsEncrypted(key: BackupKey, replicas: Pick<Replicas, 'of'>): boolean {
  return replicas
    .of(key)
    .some(
      ({ state, attempts, nextAttemptAt }) =>
        state !== 'replicated' && nextAttemptAt !== null && attempts < ENCRYPTED_ATTEMPTS,
    );
}

function plainObject(entry: CatalogueEntry, { files }: BackupStorage): LocalObject {
  const { sizeBytes, sha256 } = entry;
  return { file: files.pathOf(entry), key: objectKey(entry), sizeBytes, sha256 };
}

async function encryptedObject(
  entry: CatalogueEntry,
  { encryption, phase, signal }: { encryption: EncryptionSettings; phase: Phase; signal: AbortSignal },
  { files, encrypted }: BackupStorage,
): Promise<LocalObject> {
  const { progress } = phase;
  const archive = files.pathOf(entry);
  const copy = await encrypted.prepare({ archive, sha256: entry.sha256 }, { encryption, signal, progress });
  phase.end();
  return { ...copy, key: `${objectKey(entry)}${ENCRYPTED_SUFFIX}` };
}

function objectKey({ instanceId, backupId }: BackupKey): string {
  return `${instanceId}/${backupId}.zip`;
}

/** Encrypting and copying also detect damage on this machine: of the encrypted file if there is one, else of the archive. */
async function noteDamage(entry: CatalogueEntry, { catalogue, files, encrypted }: BackupStorage): Promise<void> {
  const archive = files.pathOf(entry);
  if (!(await isMissing(`${archive}${ENCRYPTED_SUFFIX}`))) await encrypted.release(archive);
  else if (!(await isMissing(archive))) catalogue.note(entry, { localDamage: true });
}
