import { mkdir, readdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { syncDirectory } from '../../../shared/node/atomic-file.ts';
import type { Home } from '../../../shared/node/home.ts';
import type { BackupKey, CatalogueEntry } from './catalogue.ts';

/** What an archive is called until it is whole and on disk. */
export const PARTIAL_SUFFIX = '.partial';

/** Where archives are: `<backups>/<instance>/<backupId>.zip`. */
export interface ArchiveFiles {
  /** Absolute path of a catalogued archive. */
  pathOf(entry: Pick<CatalogueEntry, 'file'>): string;
  /** The same path as the catalogue keeps it. */
  toFile(archive: string): string;
  /**
   * Where a new archive goes; makes its folder. `source` is the folder that will be archived: an archive must not end up in there, or
   * each backup would hold all those before it.
   */
  prepare(key: BackupKey, place: { directory: string | undefined; source: string }): Promise<string>;
  /** Removes what unfinished backups have left, below the default and the configured folder. Only safe while none is being made. */
  removePartials(directory: string | undefined): Promise<void>;
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
        if (isInside(await realpath(root), source)) throw insideSource(root);
        const folder = path.join(root, instanceId);
        if (await mkdir(folder, { recursive: true, mode: 0o700 })) await syncDirectory(root);
        return path.join(folder, `${backupId}.zip`);
      } catch (error) {
        throw error instanceof GamekeeperError ? error : notWritable(error);
      }
    },
    async removePartials(directory) {
      for (const root of new Set([home.backups, rootOf(directory)])) await removePartialsBelow(root);
    },
  };
}

async function removePartialsBelow(root: string): Promise<void> {
  for (const folder of await list(root)) {
    for (const name of await list(path.join(root, folder))) {
      if (name.endsWith(`.zip${PARTIAL_SUFFIX}`)) await rm(path.join(root, folder, name), { force: true });
    }
  }
}

async function list(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    // Not made yet, or a stray file: nothing of ours in there.
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return [];
    throw error;
  }
}

function isInside(inner: string, outer: string): boolean {
  const way = path.relative(outer, inner);
  return way === '' || !(way === '..' || way.startsWith(`..${path.sep}`) || path.isAbsolute(way));
}

function insideSource(root: string): GamekeeperError {
  return new GamekeeperError('invalid_state', `The backups folder ${root} is inside the server's own folder.`, {
    resolution: 'Set backups.directory to a folder outside of it.',
  });
}

function notWritable(cause: unknown): GamekeeperError {
  const isFull = isCode(cause, 'ENOSPC') || isCode(cause, 'EDQUOT');
  return isFull
    ? new GamekeeperError('insufficient_storage', 'The disk of the backups folder is full.', { cause })
    : new GamekeeperError('invalid_state', 'The backups folder cannot be written to.', {
        resolution: 'Give Gamekeeper the right to write there, or set another backups.directory.',
        cause,
      });
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
