import { constants } from 'node:fs';
import { access, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { RESTORE_FOLDER_PREFIX } from '../../../pool/task-types.ts';

/** Where a restore unpacks, and where what was there before goes: on the file system of the folder itself, so that renames do. */
export interface SwapPlace {
  /** The server's folder, without links. May be missing. */
  folder: string;
  /** Becomes the new content. */
  staging: string;
  /** Gets the previous content. */
  previous: string;
  /** Ours, to be made before and removed after a failure; the same as `staging` where that stands alone. */
  scratch: string;
  /** True: the folder itself is replaced. False: it is a mount point, or its parent is not ours to write to, so its entries are. */
  whole: boolean;
}

/**
 * Decides it for a configured folder. `key` makes the names unique. Throws `invalid_state` when another file system is mounted inside
 * the folder: what is on it would be moved away with the rest, and the disk that it is on would no longer be where the server writes.
 */
export async function swapPlace(directory: string, key: string): Promise<SwapPlace> {
  const folder = await realpath(directory).catch(() => path.resolve(directory));
  const mounts = await mountPoints();
  const inside = mounts.find((mount) => mount.startsWith(folder + path.sep));
  if (inside !== undefined)
    throw new GamekeeperError('invalid_state', `Another disk is mounted at ${inside}, inside the server's folder.`, {
      resolution: 'Unmount it for the time of the restore, or unpack the backup by hand.',
    });
  const own = `${RESTORE_FOLDER_PREFIX}${key}`;
  if ((await isOtherDevice(folder)) || mounts.includes(folder) || !(await isParentWritable(folder))) {
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
    // Not ours to write to. If the folder itself has a problem, the work in it will tell.
    () => false,
  );
}

async function isOtherDevice(folder: string): Promise<boolean> {
  const [own, parent] = await Promise.all(
    [folder, path.dirname(folder)].map((one) => stat(one).catch(() => undefined)),
  );
  return own !== undefined && parent !== undefined && own.dev !== parent.dev;
}

/** A bind mount may be of the same device as what is around it; only the kernel's list tells (proc_pid_mountinfo(5)). */
async function mountPoints(): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const lines = (await readFile('/proc/self/mountinfo', 'utf8')).split('\n');
  return lines.map((line) => unescaped(line.split(' ')[4] ?? ''));
}

/** Blanks and the like are written in octal. */
function unescaped(field: string): string {
  return field.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
