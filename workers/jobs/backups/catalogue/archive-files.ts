import { mkdir, readdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { BACKUP_ID_PATTERN } from '../../../../shared/domain/backup-id.ts';
import { INSTANCE_ID_PATTERN } from '../../../../shared/domain/instance-id.ts';
import { isDiskFull } from '../../../../shared/errors/disk-full.ts';
import { hasErrorCode } from '../../../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { syncDirectory } from '../../../../shared/node/files/atomic-file.ts';
import type { Home } from '../../../../shared/node/files/home.ts';
import { isInside } from '../../../../shared/node/files/is-inside.ts';
import type { BackupKey } from '../backup-key.ts';
import type { CatalogueEntry } from './catalogue.ts';

/** What an archive is called until it is whole and on disk. */
export const PARTIAL_SUFFIX = '.partial';
/** What is being fetched from a store, as it lies there. */
export const DOWNLOAD_SUFFIX = '.download';

/** An archive on disk, whoever knows of it. */
export interface FoundArchive extends BackupKey {
  archive: string;
}

/** Where archives are: `<backups>/<instance>/<backupId>.zip`. */
export interface ArchiveFiles {
  /** Absolute path of a catalogued archive. */
  pathOf(entry: Pick<CatalogueEntry, 'file'>): string;
  /** The same path as the catalogue keeps it. */
  toFile(archive: string): string;
  /**
   * Where an archive goes; makes its folder. `source` is the folder that will be archived: an archive must not end up in there, or
   * each backup would hold all those before it.
   */
  prepare(key: BackupKey, place: { directory: string | undefined; source?: string }): Promise<string>;
  /** The folder of all archives: the default or the configured one. */
  rootOf(directory: string | undefined): string;
  /**
   * Removes what unfinished work has left, below the default, the configured and the `former` folders, but for the files that are needed still. Only safe while
   * nothing is being done.
   */
  removeTemporaries(
    place: { directory: string | undefined; former: readonly string[] },
    isNeeded: (file: string) => Promise<boolean>,
  ): Promise<void>;
  /** Every archive below the default and the configured folder. */
  find(directory: string | undefined): Promise<FoundArchive[]>;
}

export function archiveFiles(home: Home): ArchiveFiles {
  const rootOf = (directory: string | undefined) => path.resolve(home.root, directory ?? home.backups);
  return {
    pathOf: ({ file }) => path.resolve(home.root, file),
    toFile: (archive) => (isInside(archive, home.root) ? path.relative(home.root, archive) : archive),
    async prepare({ instanceId, backupId }, { directory, source }) {
      const root = rootOf(directory);
      try {
        await mkdir(root, { recursive: true, mode: 0o700 });
        if (source !== undefined && isInside(await realpath(root), source)) throw insideSource(root);
        const folder = path.join(root, instanceId);
        if (await mkdir(folder, { recursive: true, mode: 0o700 })) await syncDirectory(root);
        return path.join(folder, `${backupId}.zip`);
      } catch (error) {
        throw error instanceof GamekeeperError ? error : notWritable(error);
      }
    },
    rootOf,
    async removeTemporaries({ directory, former }, isNeeded) {
      for (const { file, ending } of await filesBelow([home.backups, rootOf(directory), ...former]))
        if (/^\.(zip|json)\../.test(ending) && !(await isNeeded(file))) await rm(file, { force: true });
    },
    async find(directory) {
      const files = await filesBelow([home.backups, rootOf(directory)]);
      return files
        .filter(({ ending }) => ending === '.zip')
        .map(({ ending: _, file, ...key }) => ({ ...key, archive: file }));
    },
  };
}

interface OwnFile extends BackupKey {
  file: string;
  /** Of its name, behind the backup's id. */
  ending: string;
}

/** What is named after backups. Anything else there is somebody else's. */
async function filesBelow(roots: readonly string[]): Promise<OwnFile[]> {
  const found: OwnFile[] = [];
  for (const root of new Set(roots)) {
    for (const instanceId of (await list(root)).filter((name) => INSTANCE_ID_PATTERN.test(name))) {
      for (const name of await list(path.join(root, instanceId))) {
        const end = name.indexOf('.');
        const backupId = name.slice(0, end);
        if (!BACKUP_ID_PATTERN.test(backupId)) continue;
        found.push({ instanceId, backupId, file: path.join(root, instanceId, name), ending: name.slice(end) });
      }
    }
  }
  return found;
}

async function list(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    // Not made yet, or a stray file: nothing of ours in there.
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

function insideSource(root: string): GamekeeperError {
  return new GamekeeperError('invalid_state', `The backups folder ${root} is inside the server's own folder.`, {
    resolution: 'Set backups.directory to a folder outside of it.',
  });
}

function notWritable(cause: unknown): GamekeeperError {
  const isFull = isDiskFull(cause);
  return isFull
    ? new GamekeeperError('insufficient_storage', 'The disk of the backups folder is full.', { cause })
    : new GamekeeperError('invalid_state', 'The backups folder cannot be written to.', {
        resolution: 'Give Gamekeeper the right to write there, or set another backups.directory.',
        cause,
      });
}
