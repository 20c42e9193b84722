import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { mountInside, mountPoints } from '../../../../shared/node/files/mount-points.ts';
import { withRealParent } from '../../../../shared/node/files/real-parent.ts';
import { RESTORE_FOLDER_PREFIX } from '../../../pool/task-types.ts';

/** Where a restore unpacks, and where the old content goes: on the folder's own file system, so that renames are enough. */
export interface SwapPlace {
  /** The server's folder, links resolved. May be missing. */
  folder: string;
  staging: string;
  previous: string;
  /** Folder to create first and to remove after a failure; the same as `staging` if `whole`. */
  scratch: string;
  /** True: the folder itself is replaced. False: its entries are, since it is a mount point or its parent is not writable. */
  whole: boolean;
}

/** Throws `invalid_state` if another file system is mounted inside the folder: a rename would carry the mount point away. */
export async function swapPlace(directory: string, key: string): Promise<SwapPlace> {
  const folder = await realpath(directory).catch(() => withRealParent(path.resolve(directory)));
  const inside = await mountInside(folder);
  if (inside !== undefined)
    throw new GamekeeperError('invalid_state', `Another disk is mounted at ${inside}, inside the server's folder.`, {
      resolution: 'Unmount it during the restore, or unpack the backup by hand.',
    });
  const own = `${RESTORE_FOLDER_PREFIX}${key}`;
  if ((await isOtherDevice(folder)) || (await mountPoints()).includes(folder) || !(await isParentWritable(folder))) {
    const scratch = path.join(folder, own);
    return {
      folder,
      staging: path.join(scratch, 'new'),
      previous: path.join(scratch, 'previous'),
      scratch,
      whole: false,
    };
  }
  const beside = path.join(path.dirname(folder), own);
  return { folder, staging: `${beside}.new`, previous: `${beside}.previous`, scratch: `${beside}.new`, whole: true };
}

async function isParentWritable(folder: string): Promise<boolean> {
  return access(path.dirname(folder), constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function isOtherDevice(folder: string): Promise<boolean> {
  const [own, parent] = await Promise.all(
    [folder, path.dirname(folder)].map((one) => stat(one).catch(() => undefined)),
  );
  return own !== undefined && parent !== undefined && own.dev !== parent.dev;
}
