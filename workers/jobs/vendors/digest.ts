import { createHash } from 'node:crypto';
import { constants, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';

/** A checksum that a vendor publishes. Purpur only has MD5, which detects a broken download but no forgery. */
export interface Digest {
  algorithm: 'md5' | 'sha1' | 'sha256' | 'sha512';
  /** Lower-case. */
  hex: string;
}

/** Returns `undefined` if there is no file. Anything but an ordinary file counts as empty: reading a pipe would block. */
export async function hexOf(file: string, algorithm: Digest['algorithm']): Promise<string | undefined> {
  const hash = createHash(algorithm);
  try {
    await using handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    if ((await handle.stat()).isFile()) await pipeline(handle.createReadStream({ autoClose: false }), hash);
    return hash.digest('hex');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

export async function isWhole(file: string, digest: Digest): Promise<boolean> {
  return (await hexOf(file, digest.algorithm)) === digest.hex;
}
