import { constants, existsSync } from 'node:fs';
import { open, readdir, rm, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from '../../errors/error-code.ts';

/** On Linux, the path of an open folder, which stays valid even if the folder was moved. */
const DESCRIPTORS = '/proc/self/fd';
const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
/** A program may still add files while the folder is emptied. */
const ATTEMPTS = 4;

/**
 * Removes a folder with its content, or a file, if it exists. Links are removed and not followed, even if one replaces a folder meanwhile
 * (CVE-2023-25168; `fs.rm` uses paths and would follow it).
 */
export async function removeTree(place: string): Promise<void> {
  if (!existsSync(DESCRIPTORS)) return await rm(place, { recursive: true, force: true, maxRetries: 3 });
  for (let attempt = 1; ; attempt++) {
    try {
      return await removeAt(place);
    } catch (error) {
      if (attempt === ATTEMPTS || !hasErrorCode(error, 'ENOTEMPTY', 'ENOTDIR', 'ELOOP')) throw error;
    }
  }
}

/** `place` is a name in an open folder, which cannot be replaced. */
async function removeAt(place: string | Buffer): Promise<void> {
  try {
    await unlink(place);
    return;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return;
    // EPERM is POSIX's error for a folder.
    if (!hasErrorCode(error, 'EISDIR', 'EPERM')) throw error;
  }
  const folder = await open(place, FOLDER);
  try {
    const inside = path.join(DESCRIPTORS, String(folder.fd), path.sep);
    // As bytes, because a name need not be text.
    for (const name of await readdir(inside, { encoding: 'buffer' }))
      await removeAt(Buffer.concat([Buffer.from(inside), name]));
  } finally {
    await folder.close();
  }
  await rmdir(place);
}
