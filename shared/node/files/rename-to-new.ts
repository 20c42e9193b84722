import { existsSync, linkSync, lstatSync, mkdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { hasErrorCode } from '../../errors/error-code.ts';
import { bytesOf } from './file-name.ts';

/**
 * Renames a file, link or folder. Unlike `rename`, never replaces what somebody puts there at the same moment: files where the file system has hard
 * links, folders everywhere but on Windows. Throws EEXIST or ENOTEMPTY.
 */
export function renameToNew(from: string, to: string): void {
  const [source, target] = [bytesOf(from), bytesOf(to)];
  const stats = lstatSync(source, { throwIfNoEntry: false });
  if (stats?.isDirectory()) {
    renameFolderToNew(source, target);
  } else if (stats?.isFile() && isLinked(source, target)) {
    unlinkSync(source);
  } else {
    if (lstatSync(target, { throwIfNoEntry: false })) throw Object.assign(new Error('exists'), { code: 'EEXIST' });
    renameSync(source, target);
  }
}

/** Returns false where that is not possible. */
function isLinked(from: string | Buffer, to: string | Buffer): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (!hasErrorCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES')) throw error;
    return false;
  }
}

/** A folder may take the place of an empty one (rename(2)), but not on Windows. */
function renameFolderToNew(from: string | Buffer, to: string | Buffer): void {
  mkdirSync(to);
  if (process.platform === 'win32') rmdirSync(to);
  try {
    renameSync(from, to);
  } catch (error) {
    if (existsSync(to)) rmdirSync(to);
    throw error;
  }
}
