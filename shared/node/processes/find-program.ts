import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';

/** Where distributions put games. Services do not have these folders on their PATH. */
export const GAME_FOLDERS = ['/usr/games', '/usr/local/games'];

/**
 * Resolves to the absolute path of a program: `chosen` if given, else the first of this name on the PATH. Resolves to `undefined` if it is not
 * there or cannot be run.
 */
export async function findProgram(
  name: string,
  {
    chosen,
    searchPath = process.env.PATH ?? '',
  }: { chosen?: string | undefined; searchPath?: string | undefined } = {},
): Promise<string | undefined> {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  const folders = searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const candidates = chosen === undefined ? folders.map((folder) => path.join(folder, file)) : [chosen];
  for (const candidate of candidates) if (await isExecutable(candidate)) return candidate;
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
