import { lstat } from 'node:fs/promises';
import { hasErrorCode } from '../../errors/error-code.ts';
import { bytesOf } from './file-name.ts';

/** True when there is nothing at this path, not even a link that leads nowhere. The path is as in file-name.ts. */
export async function isMissing(file: string): Promise<boolean> {
  try {
    await lstat(bytesOf(file));
    return false;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return true;
    throw error;
  }
}
