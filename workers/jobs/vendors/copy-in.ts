import { constants, copyFile, open } from 'node:fs/promises';

/**
 * Copies a download into a server's folder, since the server may change the file; shares the blocks on disk if the file system can. Synced.
 * Throws EEXIST if there is something of that name.
 */
export async function copyIn(source: string, target: string): Promise<void> {
  await copyFile(source, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  await using handle = await open(target, 'r+');
  await handle.sync();
}
