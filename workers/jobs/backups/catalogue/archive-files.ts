import { mkdir, readdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { BACKUP_ID_PATTERN } from '../../../../shared/domain/backups/backup-id.ts';
import { INSTANCE_ID_PATTERN } from '../../../../shared/domain/instance/instance-id.ts';
import { isDiskFull } from '../../../../shared/errors/disk-full.ts';
import { hasErrorCode } from '../../../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { syncDirectory } from '../../../../shared/node/files/atomic-file.ts';
import type { Home } from '../../../../shared/node/files/home.ts';
import { isInside } from '../../../../shared/node/files/is-inside.ts';

export const PARTIAL_SUFFIX = '.partial';
export const DOWNLOAD_SUFFIX = '.download';

export interface BackupKey {
  instanceId: string;
  backupId: string;
}

/** An archive on disk, with or without an entry in the catalogue. */
export interface FoundArchive extends BackupKey {
  archive: string;
}

/** The archives on this machine: `<backups>/<instance>/<backupId>.zip`. */
export interface ArchiveFiles {
  pathOf(entry: { file: string }): string;
  /** Returns the path as the catalogue stores it. */
  toFile(archive: string): string;
  /** Returns the archive's path, in an existing folder. Throws `invalid_state` if it lies in `source`: backups would nest. */
  prepare(key: BackupKey, place: { directory: string | undefined; source?: string }): Promise<string>;
  /** Returns which of these archives exist, by their paths. Reads each folder once, instead of asking for each file. */
  existing(entries: readonly { file: string }[]): Promise<Set<string>>;
  /** Returns the folder of all archives; `directory` is `backups.directory` of the settings. */
  rootOf(directory: string | undefined): string;
  /** Removes temporary files in all backups folders but those still needed. Only safe while no job runs. */
  removeTemporaries(
    place: { directory: string | undefined; former: readonly string[] },
    options: { isNeeded: (file: string) => Promise<boolean>; onFailure: (error: unknown, place: string) => void },
  ): Promise<void>;
  /** Returns every archive below the default and the configured backups folder. */
  find(directory: string | undefined): Promise<FoundArchive[]>;
}

export function createArchiveFiles(home: Home): ArchiveFiles {
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
    async existing(entries) {
      const folders = new Set(entries.map(({ file }) => path.dirname(path.resolve(home.root, file))));
      const found = new Set<string>();
      for (const folder of folders) for (const name of await list(folder)) found.add(path.join(folder, name));
      return found;
    },
    rootOf,
    async removeTemporaries({ directory, former }, { isNeeded, onFailure }) {
      for (const root of new Set([home.backups, rootOf(directory), ...former])) {
        const files = await filesBelow([root]).catch((error: unknown) => {
          onFailure(error, root);
          return [];
        });
        for (const { file, ending } of files) {
          if (!/^\.(zip|json)\../.test(ending)) continue;
          await removeUnless(() => isNeeded(file), file).catch((error: unknown) => onFailure(error, file));
        }
      }
    },
    async find(directory) {
      const files = await filesBelow([home.backups, rootOf(directory)]);
      return files
        .filter(({ ending }) => ending === '.zip')
        .map(({ ending: _, file, ...key }) => ({ ...key, archive: file }));
    },
  };
}

async function removeUnless(isNeeded: () => Promise<boolean>, file: string): Promise<void> {
  if (!(await isNeeded())) await rm(file, { force: true });
}

interface OwnFile extends BackupKey {
  file: string;
  ending: string;
}

/** Returns the files named after backups. All other files in these folders belong to the owner. */
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
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

function insideSource(root: string): GamekeeperError {
  return new GamekeeperError('invalid_state', `The backups folder ${root} is inside the server's own folder.`, {
    resolution: "Set backups.directory to a folder outside of the server's folder.",
  });
}

function notWritable(cause: unknown): GamekeeperError {
  return isDiskFull(cause)
    ? new GamekeeperError('insufficient_storage', 'The disk of the backups folder is full.', { cause })
    : new GamekeeperError('invalid_state', 'The backups folder cannot be written to.', {
        resolution: 'Give Gamekeeper write access to it, or set another backups.directory.',
        cause,
      });
}
