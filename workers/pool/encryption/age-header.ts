import type { Encrypter } from 'age-encryption';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { EncryptionSettings } from '../../../shared/schema/backup-settings.ts';

/** Bytes after the header of an empty file: the nonce of the payload, and the tag of its one empty chunk. */
const EMPTY_PAYLOAD_BYTES = 16 + 16;

/** The beginning of a header's last line, `--- <mac>`. */
const LAST_LINE = '\n--- ';

/** More than enough: 20 recipients need 2 KiB. */
export const MAX_HEADER_BYTES = 64 * 1024;

/** Creates header and file key (https://age-encryption.org/v1). The library would encrypt the payload in JavaScript; we do not. */
export async function newHeader(encryption: EncryptionSettings): Promise<{ header: Buffer; fileKey: Uint8Array }> {
  const age = await import('age-encryption');
  const encrypter = new age.Encrypter();
  let fileKey: Uint8Array | undefined;
  if (encryption.passphrase !== undefined) encrypter.setPassphrase(encryption.passphrase);
  else {
    for (const recipient of await recipientsOf(encryption)) addTo(encrypter, recipient);
    encrypter.addRecipient({
      wrapFileKey(key) {
        fileKey = key.slice();
        return [];
      },
    });
  }
  const file = Buffer.from(await encrypter.encrypt(new Uint8Array()));
  const header = file.subarray(0, file.length - EMPTY_PAYLOAD_BYTES);
  return { header, fileKey: fileKey ?? (await openHeader(header, encryption)) };
}

/** Returns the file key. Throws `decryption_failed` if the settings' keys do not fit, and `backup_damaged` if this is no header. */
export async function openHeader(header: Buffer, { identity, passphrase }: EncryptionSettings): Promise<Uint8Array> {
  if (identity === undefined && passphrase === undefined)
    throw new GamekeeperError('decryption_failed', 'The settings have no private key for encrypted copies.', {
      resolution: 'Set backups.encryption.identity to the private key of one of the recipients.',
    });
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  if (identity !== undefined) {
    await recipientOf(identity);
    decrypter.addIdentity(identity);
  }
  if (passphrase !== undefined) decrypter.addPassphrase(passphrase);
  try {
    return await decrypter.decryptHeader(header);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('no identity matched'))
      throw new GamekeeperError(
        'decryption_failed',
        passphrase === undefined
          ? 'The copy was not encrypted for the private key in the settings.'
          : 'The copy was not encrypted with the passphrase in the settings.',
        { cause: error },
      );
    throw notAnAgeFile(error);
  }
}

/** Returns the length of the header at the beginning of a file. Throws `backup_damaged` if there is none. */
export function headerLength(beginning: Buffer): number {
  const lastLine = beginning.indexOf(LAST_LINE);
  const end = lastLine === -1 ? -1 : beginning.indexOf('\n', lastLine + LAST_LINE.length);
  if (end === -1 || end >= MAX_HEADER_BYTES) throw notAnAgeFile();
  return end + 1;
}

async function recipientsOf({ recipients, identity }: EncryptionSettings): Promise<string[]> {
  if (recipients !== undefined) return recipients;
  return [await recipientOf(identity!)];
}

function addTo(encrypter: Encrypter, recipient: string): void {
  try {
    encrypter.addRecipient(recipient);
  } catch (cause) {
    throw mistyped('public key', { setting: 'backups.encryption.recipients', cause });
  }
}

/** The last characters of a key are a checksum, so a mistyped key is detected. */
async function recipientOf(identity: string): Promise<string> {
  const { identityToRecipient } = await import('age-encryption');
  try {
    return await identityToRecipient(identity);
  } catch (cause) {
    throw mistyped('private key', { setting: 'backups.encryption.identity', cause });
  }
}

function mistyped(what: string, { setting, cause }: { setting: string; cause: unknown }): GamekeeperError {
  return new GamekeeperError('decryption_failed', `A ${what} in the settings is mistyped: its checksum is wrong.`, {
    resolution: `Set ${setting} to the complete key that age-keygen printed.`,
    cause,
  });
}

function notAnAgeFile(cause?: unknown): GamekeeperError {
  return new GamekeeperError(
    'backup_damaged',
    'The encrypted copy is damaged: it does not begin with a valid age header.',
    {
      cause,
    },
  );
}
