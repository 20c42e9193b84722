import { mkdir, open, realpath, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { syncDirectory, writeFileAtomically } from '../../../../shared/node/files/atomic-file.ts';
import { isInside } from '../../../../shared/node/files/is-inside.ts';
import { isMissing } from '../../../../shared/node/files/is-missing.ts';
import type { FolderStoreSettings } from '../../../../shared/schema/backup-settings.ts';
import type { Store, StorePlace } from './store.ts';
import { full, refused, systemCode, unavailable } from './store-error.ts';
import { type FarFiles, fileStore } from './transfer/file-store.ts';
import { readLocal, writeAt } from './transfer/local-file.ts';
import { paced } from './transfer/pace.ts';

/** Its presence says: this is the folder that was meant, and not the empty one that shows when the disk is not mounted. */
const MARKER = '.gamekeeper-store';
const MARKER_TEXT = 'Copies of backups of Gamekeeper. This file shows that the right disk is mounted: leave it here.\n';

/**
 * A folder on another disk, or of a mounted share.
 *
 * A disk that is not mounted must not be mistaken for an empty one, or copies would silently fill the disk below the mount point. So the
 * folder has to be there, and holds a marker file. The marker is made by itself where the folder is plainly on another disk than
 * both the backups and the system; elsewhere by `test`, which is a person's doing.
 */
export function openFolder({ name, directory }: FolderStoreSettings, place: StorePlace): Store {
  const at = (key: string) => path.join(directory, ...key.split('/'));
  const marker = path.join(directory, MARKER);

  async function requireFolder(): Promise<void> {
    if (await isMissing(directory))
      throw unavailable(name, `is not there: no folder ${directory}.`, {
        resolution: 'Mount the disk; if the folder is new, create it yourself.',
      });
    await refuseInside(name, directory, place);
    if (!(await isMissing(marker))) return;
    if (!(await isOnOtherDisk(directory, place.backups)))
      throw unavailable(name, `is not in use yet, or its disk is not mounted: ${directory} has no file ${MARKER}.`, {
        resolution: `Mount the disk. If the folder is new and right, take it into use with POST /api/stores/${name}/test.`,
      });
    await writeFileAtomically(marker, MARKER_TEXT, 0o644);
  }

  const files: FarFiles = {
    resumes: true,
    explain: (error) => explain(name, error),
    async stat(key) {
      await requireFolder();
      return (await isMissing(at(key))) ? null : (await stat(at(key))).size;
    },
    read: (key, start) => readLocal(at(key), { start }),
    async makeFolder(key) {
      await requireFolder();
      const folder = path.dirname(at(key));
      if (await mkdir(folder, { recursive: true, mode: 0o700 })) await syncDirectory(directory);
    },
    async free() {
      const { bavail, bsize } = await statfs(directory);
      return bavail * bsize;
    },
    async upload({ file, key, start }, how, conversation) {
      const handle = await open(at(key), start === 0 ? 'w' : 'r+', 0o600);
      try {
        await handle.truncate(start);
        let position = start;
        for await (const chunk of paced(readLocal(file, { start }), how, conversation)) {
          await writeAt(handle, chunk, position);
          position += chunk.length;
        }
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
    async move(from, to) {
      await rename(at(from), at(to));
      await syncDirectory(path.dirname(at(to)));
    },
    async remove(key) {
      await requireFolder();
      await rm(at(key), { force: true });
    },
    close: async () => undefined,
  };

  const store = fileStore(name, files, place);
  return {
    ...store,
    async test(signal) {
      try {
        if (!(await isMissing(directory)) && (await isMissing(marker))) {
          await refuseInside(name, directory, place);
          await writeFileAtomically(marker, MARKER_TEXT, 0o644);
        }
      } catch (error) {
        throw error instanceof GamekeeperError ? error : explain(name, error);
      }
      await store.test(signal);
    },
  };
}

/** Copies beside the archives would be sold as another place; copies in a server's folder would get into its next backup. */
async function refuseInside(name: string, directory: string, { backups, instances }: StorePlace): Promise<void> {
  const real = await realpath(directory);
  for (const [folder, what] of [
    [backups, 'the backups folder itself'],
    [instances, 'the folder of the servers'],
  ] as const) {
    if (!(await isMissing(folder)) && isInside(real, await realpath(folder)))
      throw refused(name, `lies in ${what}: ${directory}.`, { resolution: 'Give it a folder on another disk.' });
  }
}

async function isOnOtherDisk(directory: string, backups: string): Promise<boolean> {
  const own = await diskOf(directory);
  // A drive letter of Windows is gone when its disk is; elsewhere a mount point stays, mostly on the system's disk.
  const isOnSystemDisk = process.platform !== 'win32' && own === (await diskOf('/'));
  return !isOnSystemDisk && own !== (await diskOf(backups));
}

/** Where a folder is, or where it would be: the backups folder is made with the first backup. */
async function diskOf(folder: string): Promise<number> {
  return (await isMissing(folder)) ? diskOf(path.dirname(folder)) : (await stat(folder)).dev;
}

function explain(name: string, error: unknown): GamekeeperError {
  const code = systemCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return full(name, 'is full.', error);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return refused(name, `may not be written to (${code}).`, {
      resolution: 'Give Gamekeeper the right to write there.',
      cause: error,
    });
  return unavailable(name, `does not work: its disk or share failed${code && ` (${code})`}.`, { cause: error });
}
