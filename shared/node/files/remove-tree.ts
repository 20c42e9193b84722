import { constants, existsSync, fstatSync } from 'node:fs';
import { chmod, type FileHandle, open, readdir, rm, rmdir, unlink } from 'node:fs/promises';
import { hasErrorCode } from '../../errors/error-code.ts';
import { bytesOf } from './file-name.ts';

/** On Linux, the path of an open folder, which stays valid even if the folder was moved. */
const DESCRIPTORS = '/proc/self/fd';
const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
/** Linux's O_PATH, which needs no permission on the folder itself (open(2)). */
const UNREAD_FOLDER = 0o10000000 | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
const OWNER_MAY_ALL = 0o700;
/** A program may still add files while the folder is emptied. */
const ATTEMPTS = 4;

/**
 * Removes a folder with its content, or a file, if it exists. Links are removed and not followed, even if one replaces a folder meanwhile
 * (CVE-2023-25168; `fs.rm` uses paths and would follow it). Folders may be nested deeper than any path can say: two descriptors are enough.
 * Names are as in file-name.ts.
 */
export async function removeTree(place: string): Promise<void> {
  const bytes = bytesOf(place);
  if (!existsSync(DESCRIPTORS)) return await rm(bytes, { recursive: true, force: true, maxRetries: 3 });
  for (let attempt = 1; ; attempt++) {
    try {
      if (await removeUnlessFolder(bytes)) return;
      await emptyFolder(bytes);
      return await rmdir(bytes);
    } catch (error) {
      if (attempt === ATTEMPTS || !hasErrorCode(error, 'ENOTEMPTY', 'ENOTDIR', 'ELOOP')) throw error;
    }
  }
}

/** Returns false for a folder. */
async function removeUnlessFolder(place: string | Buffer): Promise<boolean> {
  try {
    await unlink(place);
  } catch (error) {
    // EPERM is POSIX's error for a folder.
    if (hasErrorCode(error, 'EISDIR', 'EPERM')) return false;
    if (!hasErrorCode(error, 'ENOENT')) throw error;
  }
  return true;
}

/** A folder that is being emptied. Names are bytes, because a name need not be text. */
interface Level {
  device: bigint;
  inode: bigint;
  names: Buffer[];
}

async function emptyFolder(place: string | Buffer): Promise<void> {
  const above: { level: Level; child: Buffer }[] = [];
  let handle = await openFolder(place);
  try {
    for (let level = await levelOf(handle); ; ) {
      const name = level.names.pop();
      if (name !== undefined) {
        const child = inside(handle, name);
        if (await removeUnlessFolder(child)) continue;
        handle = await exchange(handle, child);
        above.push({ level, child: name });
        level = await levelOf(handle);
        continue;
      }
      const parent = above.pop();
      if (!parent) return;
      level = parent.level;
      handle = await leave(handle, level);
      await rmdir(inside(handle, parent.child));
    }
  } finally {
    await handle.close();
  }
}

/**
 * Opens a folder to empty it. Takes back what would prevent that: an archive, a plugin or the owner may have made the folder read-only, or
 * even unreadable.
 */
async function openFolder(place: string | Buffer): Promise<FileHandle> {
  let handle: FileHandle;
  try {
    handle = await open(place, FOLDER);
  } catch (error) {
    if (!hasErrorCode(error, 'EACCES')) throw error;
    await makeReadable(place);
    handle = await open(place, FOLDER);
  }
  const { mode, uid } = fstatSync(handle.fd);
  if (uid === process.geteuid?.() && (mode & OWNER_MAY_ALL) !== OWNER_MAY_ALL) await handle.chmod(OWNER_MAY_ALL);
  return handle;
}

async function makeReadable(place: string | Buffer): Promise<void> {
  const found = await open(place, UNREAD_FOLDER);
  try {
    await chmod(inside(found), OWNER_MAY_ALL);
  } finally {
    await found.close();
  }
}

async function exchange(handle: FileHandle, place: Buffer): Promise<FileHandle> {
  const next = await openFolder(place);
  await handle.close();
  return next;
}

/** Returns to the folder above. Throws ENOTDIR if that is not the one that the way down came from, since a folder was moved. */
async function leave(handle: FileHandle, { device, inode }: Level): Promise<FileHandle> {
  const parent = await open(inside(handle, Buffer.from('..')), FOLDER);
  const found = identityOf(parent);
  if (found.device === device && found.inode === inode) {
    await handle.close();
    return parent;
  }
  await parent.close();
  throw Object.assign(new Error('A folder was moved while it was emptied.'), { code: 'ENOTDIR' });
}

async function levelOf(handle: FileHandle): Promise<Level> {
  return { ...identityOf(handle), names: await readdir(inside(handle), { encoding: 'buffer' }) };
}

/** Of an open file, the kernel knows both at once. */
function identityOf({ fd }: FileHandle): Pick<Level, 'device' | 'inode'> {
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return { device: dev, inode: ino };
}

function inside({ fd }: FileHandle, name: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([Buffer.from(`${DESCRIPTORS}/${fd}/`), name]);
}
