import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import path from 'node:path';
import { filePathProblem } from '../../../shared/domain/files/file-path.ts';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { bytesOf, shownName } from '../../../shared/node/files/file-name.ts';
import { realServerFolder } from '../../../shared/node/files/server/server-folder.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';

const FILE = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Throws `invalid_path`. */
export function requireFilePath(name: string): void {
  const problem = filePathProblem(name, process.platform);
  if (problem !== undefined) throw invalidPath(name, problem);
}

/**
 * Returns the absolute path of a folder inside a server's folder. Throws `file_not_found`, and `invalid_path` for anything else, and if a link is
 * on the way. Whoever uses it opens it with a TreeCursor, which notices a link that comes later.
 */
export async function realFolder(directory: string, name: string): Promise<string> {
  requireFilePath(name);
  const root = await realServerFolder(directory);
  explained(name, () => {
    using cursor = new TreeCursor(root);
    cursor.enter(name);
  });
  return path.join(root, name);
}

/** An open file, for programs that take a path. */
export interface OpenedFile extends Disposable {
  /** Leads to this file for as long as it is open, whatever is at its path by then. */
  place: string;
}

/** Opens an ordinary file inside a server's folder, without following links. Throws as `realFolder`. */
export async function openInFolder(directory: string, name: string): Promise<OpenedFile> {
  requireFilePath(name);
  const root = await realServerFolder(directory);
  return explained(name, () => {
    using cursor = new TreeCursor(root);
    const descriptor = openSync(bytesOf(cursor.placeOf(name)), FILE);
    if (!fstatSync(descriptor).isFile()) {
      closeSync(descriptor);
      throw invalidPath(name, 'is not an ordinary file');
    }
    const place = process.platform === 'linux' ? `/proc/self/fd/${descriptor}` : path.join(root, name);
    return { place, [Symbol.dispose]: () => closeSync(descriptor) };
  });
}

function explained<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT'))
      throw new GamekeeperError('file_not_found', `There is no "${shownName(name)}".`, { cause: error });
    if (hasErrorCode(error, 'ENOTDIR', 'ELOOP', 'ENXIO'))
      throw invalidPath(name, 'leads through something that is not a folder, or through a link', error);
    throw error;
  }
}

function invalidPath(name: string, problem: string, cause?: unknown): GamekeeperError {
  return new GamekeeperError('invalid_path', `The path "${shownName(name).slice(0, 200)}" ${problem}.`, { cause });
}
