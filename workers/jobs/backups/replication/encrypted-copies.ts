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

/** Suffix of an encrypted copy, here and in stores. */
export const ENCRYPTED_SUFFIX = '.age';

export interface EncryptedCopy {
  file: string;
  sizeBytes: number;
  sha256: string;
}

export interface PlainArchive {
  archive: string;
  sha256: string;
}

export interface CryptOptions {
  encryption: EncryptionSettings;
  signal: AbortSignal;
  progress?: Progress;
}

/**
 * Encrypted files of archives, kept beside them while copies are on their way. age never produces the same bytes twice, but a resumed
 * upload, and every store, must send the same file: it is made once and kept until it is released.
 */
export interface EncryptedCopies {
  /** Encrypts an archive, or returns the file made earlier with the same keys. */
  prepare(archive: PlainArchive, options: CryptOptions): Promise<EncryptedCopy>;
  release(archive: string): Promise<void>;
}

/** Lies beside the encrypted file, which is useless without it. */
interface CopyRecord extends Omit<EncryptedCopy, 'file'> {
  salt: string;
  keys: string;
}

export function createEncryptedCopies(pool: Pool): EncryptedCopies {
  const lock = new KeyedMutex();
  return {
    async prepare({ archive, sha256 }, { encryption, signal, progress = new Progress() }) {
      const unlock = await lock.take(archive, signal);
      try {
        const file = `${archive}${ENCRYPTED_SUFFIX}`;
        const found = await findCopy(file, encryption);
        if (found) return found;
        // A file for other keys must never meet the new record.
        await rm(file, { force: true });
        const target = `${file}${PARTIAL_SUFFIX}`;
        try {
          const task = { source: archive, target, sha256, encryption, progress: progress.memory };
          const copy = await pool.run('encrypt', task, signal);
          const salt = randomBytes(16).toString('hex');
          const record: CopyRecord = { ...copy, salt, keys: await fingerprint(encryption, salt) };
          // A record without its file does no harm: the next one replaces it.
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

/** Decrypts a copy to `target`, which appears complete and verified. Throws `decryption_failed` for wrong keys, `backup_damaged`. */
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

/** Identifies the keys. scrypt, so a passphrase is slow to guess from it. */
async function fingerprint({ recipients, identity, passphrase }: EncryptionSettings, salt: string): Promise<string> {
  const derive = promisify<string, string, number, Buffer>(scrypt);
  return (await derive(JSON.stringify([recipients, identity, passphrase]), salt, 32)).toString('hex');
}
