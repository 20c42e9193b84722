import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';

/** PATH_MAX of Linux. */
const MOST_PATH_BYTES = 4_095;

/** Throws `invalid_path` for what cannot be the path of a file or folder in an archive. '' is the folder of the server. */
export function requirePath(path: string): void {
  const problem = path === '' ? undefined : pathProblem(path);
  if (problem !== undefined) throw invalid(path, problem);
}

/** Checks the paths to restore. Returns them without those inside another one. Throws `invalid_path`. */
export function topmostPaths(paths: readonly string[]): string[] {
  for (const path of paths) {
    requirePath(path);
    if (path === '')
      throw new GamekeeperError('invalid_path', 'The empty path is the whole folder of the server.', {
        resolution: 'Name files or folders in it, or restore the whole backup.',
      });
  }
  const known = new Set(paths);
  return [...known].filter((path) => !foldersAbove(path).some((folder) => known.has(folder)));
}

function foldersAbove(path: string): string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}

function pathProblem(path: string): string | undefined {
  if (path.includes('\0')) return 'contains a NUL';
  if (!path.isWellFormed()) return 'is not valid Unicode';
  if (path.includes('\\')) return 'contains a backslash';
  if (path.startsWith('/')) return 'begins with "/"';
  if (Buffer.byteLength(path) > MOST_PATH_BYTES) return 'is too long';
  const names = path.split('/');
  if (names.includes('')) return 'has an empty name';
  return names.includes('.') || names.includes('..') ? 'contains "." or ".."' : undefined;
}

function invalid(path: string, problem: string): GamekeeperError {
  return new GamekeeperError('invalid_path', `The path ${JSON.stringify(path.slice(0, 200))} ${problem}.`);
}
