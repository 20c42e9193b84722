import { hasErrorCode } from '../../errors/error-code.ts';

export interface Owner {
  uid: number;
  gid: number;
}

/** Returns the owner of what a call of `stat` has found; `undefined` on Windows, which has none. */
export function ownerOf({ uid, gid }: Owner): Owner | undefined {
  return process.platform === 'win32' ? undefined : { uid, gid };
}

/**
 * Gives something back to its owner and group, as far as this process may: root may always, others may choose among their own groups.
 * `chown` is one of the calls of `node:fs`, for which -1 means no change. To be called before chmod, which it may undo.
 */
export function giveTo(owner: Owner | undefined, chown: (uid: number, gid: number) => void): void {
  if (!owner) return;
  const { uid, gid } = owner;
  if (!isAllowed(() => chown(uid, gid))) isAllowed(() => chown(-1, gid));
}

/** EINVAL: the id does not exist in this user namespace. The others: the file system has no owners. */
function isAllowed(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EPERM', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP')) return false;
    throw error;
  }
}
