import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import { StartupError } from '../../../shared/node/processes/startup-error.ts';

const KEY_BYTES = 32;
const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Protects what a copy of the database alone must not reveal: tokens, codes, sessions and private keys. */
export interface Vault {
  /** Encrypts for storage. `context` names the row, so that nobody can move the value to another one. */
  seal(text: string, context: string): string;
  /** Throws if the value was sealed with another secret or for another row. */
  open(sealed: string, context: string): string;
  /** Returns the name under which a secret value is stored. */
  nameOf(value: string): string;
  /** Signs what replicas send to each other. */
  readonly peerKey: Uint8Array;
}

/** `secret`: at least 256 bits of randomness. */
export function createVault(secret: string): Vault {
  const derived = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', secret, '', `gamekeeper proxy: ${purpose}`, KEY_BYTES));
  const sealing = derived('sealing');
  const naming = derived('naming');
  return {
    seal(text, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, sealing, nonce, { authTagLength: TAG_BYTES }).setAAD(
        Buffer.from(context),
      );
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    open(text, context) {
      const bytes = Buffer.from(text, 'base64url');
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(ALGORITHM, sealing, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    },
    nameOf: (value) => createHmac('sha256', naming).update(value).digest('base64url'),
    peerKey: derived('peers'),
  };
}

/** Reads the key file, and creates it with mode 0600 if there is none. Throws StartupError if it is damaged. */
export async function readKeyFile(file: string): Promise<string> {
  try {
    const secret = (await readFile(file, 'utf8')).trim();
    if (Buffer.from(secret, 'base64url').length === KEY_BYTES) return secret;
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
    return createKeyFile(file);
  }
  throw new StartupError(`The key file ${file} is damaged. Put the one from your backup in its place.`);
}

/** Replaces the key file. Resolves to the new secret. */
export async function createKeyFile(file: string): Promise<string> {
  const secret = randomBytes(KEY_BYTES).toString('base64url');
  await writeFileAtomically(file, `${secret}\n`);
  return secret;
}
