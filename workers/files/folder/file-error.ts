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
  return new GamekeeperError('file_exists', `"${shownPath(path)}" already exists.`, { cause });
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
    case 'EINVAL':
      return invalidPath(path, 'cannot be used for this on its disk', error);
    case 'EBUSY':
    case 'ETXTBSY':
      return new GamekeeperError('invalid_state', `"${shownPath(path)}" is in use, or a disk is mounted there.`, {
        resolution: 'Stop the server or the program that uses it, or unmount the disk. Then try again.',
        cause: error,
      });
    case 'EIO':
      return new GamekeeperError('invalid_state', `The disk reports an error at "${shownPath(path)}".`, {
        resolution: 'Check the disk, and the log of the system.',
        cause: error,
      });
    case 'ESTALE':
      return new GamekeeperError('worker_unavailable', `The network disk has replaced "${shownPath(path)}".`, {
        resolution: 'Try again. If it keeps failing, mount the network disk anew.',
        retryAfterSeconds: 1,
        cause: error,
      });
    case 'EFBIG':
      return new GamekeeperError(
        'insufficient_storage',
        `"${shownPath(path)}" is too large for one file on its disk.`,
        {
          resolution: 'Split it, or use a disk with another file system. FAT32 allows 4 GB per file.',
          cause: error,
        },
      );
    case 'EMLINK':
      return new GamekeeperError(
        'insufficient_storage',
        `The disk allows no more entries beside "${shownPath(path)}".`,
        {
          resolution: 'Put it into another folder.',
          cause: error,
        },
      );
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
