import { constants, existsSync } from 'node:fs';
import { open, readdir, rm, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from '../../errors/error-code.ts';

/** Where Linux shows open folders: what is reached through there is inside them, wherever they are by then. */
const DESCRIPTORS = '/proc/self/fd';
const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
/** A program that still works in a folder may put something in while it is emptied. */
const ATTEMPTS = 4;

/**
 * Removes a folder with all that is in it, and nothing else: links are removed, not followed, also those that take a folder's place
 * while it is being emptied (CVE-2023-25168; `fs.rm` goes by paths and would follow them). A file is removed likewise, and what is not
 * there is no error.
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

/** `place` is a name in a folder that cannot be swapped: one that is open. */
async function removeAt(place: string | Buffer): Promise<void> {
  try {
    await unlink(place);
    return;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return;
    // EPERM is what POSIX says of a folder.
    if (!hasErrorCode(error, 'EISDIR', 'EPERM')) throw error;
  }
  const folder = await open(place, FOLDER);
  try {
    const inside = path.join(DESCRIPTORS, String(folder.fd), path.sep);
    // Bytes: a name need not be text.
    for (const name of await readdir(inside, { encoding: 'buffer' }))
      await removeAt(Buffer.concat([Buffer.from(inside), name]));
  } finally {
    await folder.close();
  }
  await rmdir(place);
}
