import { lstat } from 'node:fs/promises';

/** True when there is nothing at this path, not even a link that leads nowhere. */
export async function isMissing(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return false;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return true;
    throw error;
  }
}
