import { lstat } from 'node:fs/promises';
import { bytesOf } from '../../../shared/node/files/file-name.ts';

/** True when there is nothing at this path, not even a link that leads nowhere. The path is as in file-name.ts. */
export async function isMissing(file: string): Promise<boolean> {
  try {
    await lstat(bytesOf(file));
    return false;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return true;
    throw error;
  }
}
