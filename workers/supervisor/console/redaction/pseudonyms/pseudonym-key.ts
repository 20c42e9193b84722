import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hasErrorCode } from '../../../../../shared/errors/error-code.ts';
import { writeFileAtomically } from '../../../../../shared/node/files/atomic-file.ts';

const KEY_BYTES = 32;

/** Returns the instance's own key for pseudonyms. Creates it on first use, so that pseudonyms stay the same over restarts. */
export async function readPseudonymKey(file: string): Promise<Buffer> {
  try {
    const key = await readFile(file);
    if (key.length === KEY_BYTES) return key;
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
  }
  const key = randomBytes(KEY_BYTES);
  await writeFileAtomically(file, key);
  return key;
}
