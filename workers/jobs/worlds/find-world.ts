import { existsSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import path from 'node:path';
import { isDimension, worldFolders } from '../../../shared/domain/world-folders.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { isMissing } from '../../../shared/node/files/is-missing.ts';

/** Archives of whole servers have worlds further down than archives of one world. */
const DEEPEST = 5;
/** Looked at. An archive can have millions. */
const MOST_FOLDERS = 50_000;

/**
 * Returns the folder of the world in an unpacked archive, wherever it lies, and those of its Nether and its End beside it, absolute, by what to
 * append to the name of the world. Throws `invalid_request` if there is none, or more than one, and for more than `mostFolders` to look at.
 */
export async function findWorld(
  unpacked: string,
  signal: AbortSignal,
  mostFolders = MOST_FOLDERS,
): Promise<Map<string, string>> {
  const found = await shallowest(unpacked, signal, mostFolders);
  const all = new Set(found);
  const own = found.filter((folder) => !isDimension(folder, all)).sort();
  const [world] = own;
  if (world === undefined)
    throw new GamekeeperError('invalid_request', 'There is no world in the archive.', {
      resolution: 'Use a ZIP of the folder that contains the file level.dat.',
    });
  if (own.length > 1) {
    const names = own.slice(0, 5).map((folder) => `"${path.basename(folder)}"`);
    throw new GamekeeperError('invalid_request', `The archive contains several worlds: ${names.join(', ')}.`, {
      resolution: 'Use a ZIP of one of them.',
    });
  }
  const suffixes = worldFolders('');
  return new Map(
    suffixes.flatMap((suffix) => {
      const folder = suffix === '' ? world : world === unpacked ? undefined : `${world}${suffix}`;
      return folder !== undefined && existsSync(folder) ? [[suffix, folder] as const] : [];
    }),
  );
}

/** Returns the folders with a `level.dat` that are nearest to the top. */
async function shallowest(top: string, signal: AbortSignal, mostFolders: number): Promise<string[]> {
  let folders = [top];
  for (let depth = 0, looked = 1; ; depth++) {
    const worlds: string[] = [];
    for (const folder of folders) {
      signal.throwIfAborted();
      if (!(await isMissing(path.join(folder, 'level.dat')))) worlds.push(folder);
    }
    if (worlds.length > 0 || depth === DEEPEST) return worlds;
    folders = await foldersIn(folders, signal, mostFolders - looked);
    looked += folders.length;
  }
}

/** Piece by piece: a folder can have any number of entries. */
async function foldersIn(folders: readonly string[], signal: AbortSignal, most: number): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders)
    for await (const entry of await opendir(folder)) {
      signal.throwIfAborted();
      if (entry.isDirectory()) found.push(path.join(folder, entry.name));
      if (found.length > most)
        throw new GamekeeperError('invalid_request', 'The archive has too many folders to find the world in it.', {
          resolution: 'Use a ZIP of the folder that contains the file level.dat.',
        });
    }
  return found;
}
