import { filePathProblem } from '../../../shared/domain/files/file-path.ts';
import { errorCode } from '../../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { machineShortage } from '../../../shared/errors/machine-shortage.ts';
import { shownName } from '../../../shared/node/files/file-name.ts';

/** Throws `invalid_path` unless it is a path that a file inside the folder can have. With `isBelow`, the folder itself is refused, too. */
export function requirePath(path: string, { isBelow = false }: { isBelow?: boolean } = {}): void {
  const problem = path === '' && isBelow ? 'must name a file or folder' : filePathProblem(path, process.platform);
  if (problem !== undefined) throw invalidPath(path, problem);
}

export function invalidPath(path: string, problem: string, cause?: unknown): GamekeeperError {
  return new GamekeeperError('invalid_path', `The path "${shownPath(path)}" ${problem}.`, { cause });
}

export function fileExists(path: string, cause?: unknown): GamekeeperError {
  return new GamekeeperError('file_exists', `"${shownPath(path)}" exists.`, { cause });
}

export function fileNotFound(path: string, cause?: unknown): GamekeeperError {
  return new GamekeeperError('file_not_found', `There is no "${shownPath(path)}".`, { cause });
}

/** Runs file system calls on a path and explains their errors. */
export function explained<T>(path: string, work: () => T): T {
  try {
    const result = work();
    return result instanceof Promise
      ? (result.catch((error: unknown) => {
          throw toFileError(error, path);
        }) as T)
      : result;
  } catch (error) {
    throw toFileError(error, path);
  }
}

function toFileError(error: unknown, path: string): unknown {
  switch (errorCode(error)) {
    case 'ENOENT':
      return fileNotFound(path, error);
    case 'EEXIST':
    case 'ENOTEMPTY':
      return fileExists(path, error);
    case 'ENOTDIR':
    case 'ELOOP':
    case 'EISDIR':
      return invalidPath(path, 'leads through something that is not a folder, or through a link', error);
    case 'ENAMETOOLONG':
    case 'EILSEQ':
      return invalidPath(path, 'has a name that the disk does not allow', error);
    case 'EXDEV':
      return invalidPath(path, 'is on another disk', error);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new GamekeeperError('invalid_state', `The system does not let Gamekeeper change "${shownPath(path)}".`, {
        resolution: 'Give the user that runs Gamekeeper the right to it.',
        cause: error,
      });
    default:
      return shortage(error);
  }
}

function shortage(error: unknown): unknown {
  const found = machineShortage(error);
  if (!found) return error;
  const { code, detail, resolution } = found;
  return new GamekeeperError(code, detail, { resolution, cause: error });
}

/** Long paths are cut: the message is shown to people. */
function shownPath(path: string): string {
  const shown = shownName(path);
  return shown.length > 200 ? `${shown.slice(0, 200)}…` : shown;
}
