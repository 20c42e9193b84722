import { randomBytes, scrypt } from 'node:crypto';
import { readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { syncDirectory, writeFileAtomically } from '../../../../shared/node/files/atomic-file.ts';
import { isMissing } from '../../../../shared/node/files/is-missing.ts';
import { KeyedMutex } from '../../../../shared/node/primitives/keyed-mutex.ts';
import type { EncryptionSettings } from '../../../../shared/schema/backup-settings.ts';
import { Progress } from '../../../pool/progress.ts';
import type { Pool } from '../../resources/pool.ts';
import { PARTIAL_SUFFIX } from '../catalogue/archive-files.ts';

/** What the key of an encrypted copy in a store ends with. */
export const ENCRYPTED_SUFFIX = '.age';

export interface EncryptedCopy {
  /** Absolute path. */
  file: string;
  sizeBytes: number;
  sha256: string;
}

/** An archive of the catalogue, by its absolute path. */
export interface PlainArchive {
  archive: string;
  sha256: string;
}

export interface CryptOptions {
  encryption: EncryptionSettings;
  signal: AbortSignal;
  /** Counts bytes of what is read. */
  progress?: Progress;
}

/**
 * Encrypted forms of archives, beside them while copies are on their way. Age never gives the same bytes twice, so an upload that is to
 * go on after a restart, and every store, has to send the same file: it is made once and kept until it is released.
 */
export interface EncryptedCopies {
  /** Makes the copy, or finds the one that was made before with the same keys. */
  prepare(archive: PlainArchive, options: CryptOptions): Promise<EncryptedCopy>;
  /** No store waits for it any more. None there is fine, so that this can be repeated after a crash. */
  release(archive: string): Promise<void>;
}

/** What is kept beside a copy: without its hash and its keys it is worth nothing. */
interface CopyRecord extends Omit<EncryptedCopy, 'file'> {
  salt: string;
  keys: string;
}

export function encryptedCopies(pool: Pool): EncryptedCopies {
  const lock = new KeyedMutex();
  return {
    async prepare({ archive, sha256 }, { encryption, signal, progress = new Progress() }) {
      const unlock = await lock.take(archive, signal);
      try {
        const file = `${archive}${ENCRYPTED_SUFFIX}`;
        const found = await findCopy(file, encryption);
        if (found) return found;
        // A copy for other keys must never meet the new one's record.
        await rm(file, { force: true });
        const target = `${file}${PARTIAL_SUFFIX}`;
        try {
          const task = { source: archive, target, sha256, encryption, progress: progress.memory };
          const copy = await pool.run('encrypt', task, signal);
          const salt = randomBytes(16).toString('hex');
          const record: CopyRecord = { ...copy, salt, keys: await fingerprint(encryption, salt) };
          // A record without its copy is no harm: it goes with the next one.
          await writeFileAtomically(recordOf(file), JSON.stringify(record));
          await rename(target, file);
          await syncDirectory(path.dirname(file));
          return { ...copy, file };
        } finally {
          await rm(target, { force: true });
        }
      } finally {
        unlock();
      }
    },
    async release(archive) {
      const file = `${archive}${ENCRYPTED_SUFFIX}`;
      await rm(file, { force: true });
      await rm(recordOf(file), { force: true });
      await rm(`${file}${PARTIAL_SUFFIX}`, { force: true });
    },
  };
}

/**
 * Decrypts what came from a store to `target`, which appears only whole and with the right hash. Throws `decryption_failed` for wrong
 * keys, `backup_damaged` for a damaged copy.
 */
export async function decryptCopy(
  { copy, target, sha256 }: { copy: string; target: string; sha256: string },
  { encryption, signal, progress = new Progress() }: CryptOptions,
  pool: Pool,
): Promise<void> {
  const partial = `${target}${PARTIAL_SUFFIX}`;
  try {
    const task = { source: copy, target: partial, sha256, encryption, progress: progress.memory };
    await pool.run('decrypt', task, signal);
    await rename(partial, target);
    await syncDirectory(path.dirname(target));
  } finally {
    await rm(partial, { force: true });
  }
}

async function findCopy(file: string, encryption: EncryptionSettings): Promise<EncryptedCopy | undefined> {
  if ((await isMissing(file)) || (await isMissing(recordOf(file)))) return undefined;
  const { salt, keys, sizeBytes, sha256 } = JSON.parse(await readFile(recordOf(file), 'utf8')) as CopyRecord;
  const isCurrent = keys === (await fingerprint(encryption, salt)) && (await stat(file)).size === sizeBytes;
  return isCurrent ? { file, sizeBytes, sha256 } : undefined;
}

function recordOf(file: string): string {
  return `${file}.json`;
}

/** Tells other keys apart; slow to guess a passphrase from. */
async function fingerprint({ recipients, identity, passphrase }: EncryptionSettings, salt: string): Promise<string> {
  const derive = promisify<string, string, number, Buffer>(scrypt);
  return (await derive(JSON.stringify([recipients, identity, passphrase]), salt, 32)).toString('hex');
}
