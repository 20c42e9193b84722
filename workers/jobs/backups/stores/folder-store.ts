import { mkdir, open, realpath, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { syncDirectory, writeFileAtomically } from '../../../../shared/node/files/atomic-file.ts';
import { isInside } from '../../../../shared/node/files/is-inside.ts';
import { isMissing } from '../../../../shared/node/files/is-missing.ts';
import type { FolderStoreSettings } from '../../../../shared/schema/backup-settings.ts';
import type { Store, StorePlace } from './store.ts';
import { full, refused, systemCode, unavailable } from './store-error.ts';
import { createFileStore, type RemoteFiles } from './transfer/file-store.ts';
import { readLocal, writeAt } from './transfer/local-file.ts';
import { paced } from './transfer/pace.ts';

/** File that marks the right folder. Without it, the disk may not be mounted, and the folder may be an empty mount point. */
const MARKER = '.gamekeeper-store';
const MARKER_TEXT = 'Copies of backups of Gamekeeper. This file shows that the right disk is mounted: leave it here.\n';

/**
 * A folder on another disk or a mounted share. If the disk is not mounted, copies would silently fill the disk below the mount point. So
 * the folder must exist and contain a marker file. The marker is created automatically if the folder is clearly on another disk than the
 * backups and the system, else by `test`, which a person runs.
 */
export function createFolderStore({ name, directory }: FolderStoreSettings, place: StorePlace): Store {
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
      throw unavailable(name, `is not set up yet, or its disk is not mounted: ${directory} has no file ${MARKER}.`, {
        resolution: `Mount the disk. If the folder is new and the right one, set it up with POST /api/stores/${name}/test.`,
      });
    await writeFileAtomically(marker, MARKER_TEXT, 0o644);
  }

  const files: RemoteFiles = {
    resumes: true,
    explain: (error) => explain(name, error),
    async stat(key) {
      await requireFolder();
      return (await isMissing(at(key))) ? null : (await stat(at(key))).size;
    },
    read: (key, part) => readLocal(at(key), part),
    async makeFolder(key) {
      await requireFolder();
      const folder = path.dirname(at(key));
      if (await mkdir(folder, { recursive: true, mode: 0o700 })) await syncDirectory(directory);
    },
    async free() {
      const { bavail, bsize } = await statfs(directory);
      return bavail * bsize;
    },
    async upload({ file, key, start }, how, operation) {
      const handle = await open(at(key), start === 0 ? 'w' : 'r+', 0o600);
      try {
        await handle.truncate(start);
        let position = start;
        for await (const chunk of paced(readLocal(file, { start }), how, operation)) {
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

  const store = createFileStore(name, files, place);
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

/** Copies beside the archives would be lost with them, and copies in a server's folder would get into its next backup. */
async function refuseInside(name: string, directory: string, { backups, instances }: StorePlace): Promise<void> {
  const real = await realpath(directory);
  for (const [folder, what] of [
    [backups, 'the backups folder'],
    [instances, 'the folder of the servers'],
  ] as const) {
    if (!(await isMissing(folder)) && isInside(real, await realpath(folder)))
      throw refused(name, `is inside ${what}: ${directory}.`, { resolution: 'Use a folder on another disk.' });
  }
}

async function isOnOtherDisk(directory: string, backups: string): Promise<boolean> {
  const own = await diskOf(directory);
  // On Windows the drive letter vanishes with the disk; elsewhere the mount point stays, usually on the system's disk.
  const isOnSystemDisk = process.platform !== 'win32' && own === (await diskOf('/'));
  return !isOnSystemDisk && own !== (await diskOf(backups));
}

/** Also works for a folder that does not exist yet: the first backup creates the backups folder. */
async function diskOf(folder: string): Promise<number> {
  return (await isMissing(folder)) ? diskOf(path.dirname(folder)) : (await stat(folder)).dev;
}

function explain(name: string, error: unknown): GamekeeperError {
  const code = systemCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return full(name, 'is full.', error);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return refused(name, `is not writable (${code}).`, {
      resolution: 'Give Gamekeeper write access to it.',
      cause: error,
    });
  return unavailable(name, `failed: its disk or share returned an error${code && ` (${code})`}.`, { cause: error });
}
