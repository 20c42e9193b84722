import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import ssh2 from 'ssh2';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import { fingerprintOf } from '../../../shared/node/ssh/host-key.ts';

export interface HostKey {
  /** In OpenSSH's format. */
  privateKey: string;
  /** `SHA256:` and 43 characters, which clients show when they connect for the first time. */
  fingerprint: string;
}

/** Reads the server's key, an Ed25519 key that is created once. Throws `invalid_state` for a file that is none. */
export async function readHostKey(file: string): Promise<HostKey> {
  const privateKey = (await existing(file)) ?? (await create(file));
  const parsed = ssh2.utils.parseKey(privateKey);
  if (parsed instanceof Error || !parsed.isPrivateKey())
    throw new GamekeeperError('invalid_state', `${file} is not a private key in OpenSSH's format.`, {
      resolution: 'Restore it from a backup. If you delete it, a new key is created, and all clients will warn of it.',
    });
  return { privateKey, fingerprint: fingerprintOf(parsed.getPublicSSH()) };
}

async function existing(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function create(file: string): Promise<string> {
  const { private: privateKey } = ssh2.utils.generateKeyPairSync('ed25519', { comment: 'Gamekeeper' });
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFileAtomically(file, privateKey);
  return privateKey;
}
