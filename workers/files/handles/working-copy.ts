import { closeSync, constants, createReadStream, createWriteStream, openSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { claimSpace } from '../folder/disk-reserve.ts';
import { explained } from '../folder/file-error.ts';
import type { OpenedFile } from '../folder/open-file.ts';
import { discardStaged } from '../staging/staged-files.ts';
import { newStagedPath } from '../staging/under-construction.ts';
import { BORROWED } from '../transfer/borrowed-descriptor.ts';

const FLAGS = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0);

/** A file beside those of the server, where writes go until the handle is closed. */
export interface WorkingCopy {
  readonly root: string;
  /** Its path inside `root`. */
  readonly own: string;
  readonly descriptor: number;
}

/** Creates an empty file, or a copy of `source`. Throws `insufficient_storage` if that would leave too little space for the game. */
export async function createWorkingCopy(root: string, source?: OpenedFile): Promise<WorkingCopy> {
  const own = newStagedPath();
  using _space = await claimSpace(root, Number(source?.stats.size ?? 0), 'The change');
  return await explained('', async () => {
    using cursor = new TreeCursor(root);
    const place = cursor.placeOf(own, () => undefined);
    const created = { root, own, descriptor: openSync(place, FLAGS | constants.O_CREAT | constants.O_EXCL, 0o600) };
    if (!source) return created;
    try {
      await copyInto(created.descriptor, source);
      return created;
    } catch (error) {
      closeSync(created.descriptor);
      await discardStaged(created);
      throw error;
    }
  });
}

/** By descriptors: nobody can put a link in the place of either file. */
async function copyInto(target: number, { descriptor }: OpenedFile): Promise<void> {
  if (process.platform === 'linux')
    await copyFile(`/proc/self/fd/${descriptor}`, `/proc/self/fd/${target}`, constants.COPYFILE_FICLONE);
  else
    await pipeline(
      createReadStream('', { fd: descriptor, start: 0, ...BORROWED }),
      createWriteStream('', { fd: target, start: 0, ...BORROWED }),
    );
}
