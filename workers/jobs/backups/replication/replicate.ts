import { isMissing } from '../../../../shared/node/files/is-missing.ts';
import type { EncryptionSettings, StoreSettings } from '../../../../shared/schema/backup-settings.ts';
import type { JobRun } from '../../queue/job-entry.ts';
import type { Phase } from '../../queue/job-progress.ts';
import { requireArchive } from '../archive-damage.ts';
import type { BackupKey } from '../backup-key.ts';
import type { BackupParts } from '../backup-parts.ts';
import type { CatalogueEntry } from '../catalogue/catalogue.ts';
import { isDamage } from '../is-damage.ts';
import type { StoredObject } from '../stores/store.ts';
import { ENCRYPTED_SUFFIX } from './encrypted-copies.ts';
import type { ReplicaRow } from './replicas.ts';
import { withStore } from './with-store.ts';

export type ReplicateParts = Pick<
  BackupParts,
  'catalogue' | 'replicas' | 'files' | 'settings' | 'openStore' | 'now' | 'encrypted'
>;

/** The bytes of a copy as they lie on this machine. */
type LocalObject = StoredObject & { file: string };

/** After so many attempts a store is away for long: the encrypted file for it is made anew when it is back. */
const ENCRYPTED_ATTEMPTS = 5;

/**
 * Makes one copy of a backup, or finishes the one that an earlier attempt began. What is on its way is on record before the first byte
 * goes, so that it can be removed there after any crash. Throws what the store says.
 */
export async function replicate(
  { row, store: settings }: { row: ReplicaRow; store: StoreSettings },
  run: JobRun,
  parts: ReplicateParts,
): Promise<void> {
  const { replicas } = parts;
  const entry = parts.catalogue.get(row);
  const { bandwidth, encryption } = (await parts.settings()).backups;
  replicas.update(row, { attempts: row.attempts + 1 });
  const encrypting = encryption && run.phase(entry.sizeBytes);
  const { progress } = run.phase(entry.sizeBytes);
  await requireArchive(entry, parts);
  try {
    const local =
      encryption && encrypting
        ? await encryptedObject(entry, { encryption, phase: encrypting, signal: run.signal }, parts)
        : plainObject(entry, parts);
    await withStore(settings, parts, async (store) => {
      const { file: _, ...object } = local;
      // Encryption was turned on or off meanwhile: the copy gets another name.
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
    if (isDamage(error)) await noteDamage(entry, parts);
    throw error;
  }
  const at = parts.now().toISOString();
  replicas.update(row, { state: 'replicated', nextAttemptAt: null, error: null, replicatedAt: at, checkedAt: at });
}

/** Whether the encrypted file of a backup is kept: while a copy of it is on its way, unless its store is away for long. */
export function needsEncrypted(key: BackupKey, { replicas }: Pick<BackupParts, 'replicas'>): boolean {
  return replicas
    .of(key)
    .some(
      ({ state, attempts, nextAttemptAt }) =>
        state !== 'replicated' && nextAttemptAt !== null && attempts < ENCRYPTED_ATTEMPTS,
    );
}

function plainObject(entry: CatalogueEntry, { files }: ReplicateParts): LocalObject {
  const { sizeBytes, sha256 } = entry;
  return { file: files.pathOf(entry), key: objectKey(entry), sizeBytes, sha256 };
}

async function encryptedObject(
  entry: CatalogueEntry,
  { encryption, phase, signal }: { encryption: EncryptionSettings; phase: Phase; signal: AbortSignal },
  { files, encrypted }: ReplicateParts,
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

/** Encrypting and copying find out about what lies here, too. It is the encrypted file, or the archive itself. */
async function noteDamage(entry: CatalogueEntry, { catalogue, files, encrypted }: ReplicateParts): Promise<void> {
  const archive = files.pathOf(entry);
  if (!(await isMissing(`${archive}${ENCRYPTED_SUFFIX}`))) await encrypted.release(archive);
  else if (!(await isMissing(archive))) catalogue.note(entry, { localDamage: true });
}
