import { closeSync, constants, fchmodSync, fstatSync, openSync } from 'node:fs';
import { hasErrorCode } from '../../../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { bytesOf } from '../../../../shared/node/files/file-name.ts';
import { realServerFolder } from '../../../../shared/node/files/server/server-folder.ts';
import { TreeCursor } from '../../../../shared/node/files/tree-cursor.ts';

const FILE = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const EXECUTABLE = 0o111;
const PERMISSIONS = 0o777;

/** Makes files of a server executable for whoever may read them. Missing ones are left out unless `required`. No link is followed. */
export async function makeExecutable(
  directory: string,
  files: readonly string[],
  { required = false }: { required?: boolean } = {},
): Promise<void> {
  using cursor = new TreeCursor(await realServerFolder(directory));
  for (const file of files) {
    const descriptor = openIfThere(() => openSync(bytesOf(cursor.placeOf(file)), FILE));
    if (descriptor === undefined) {
      if (required) throw new GamekeeperError('installation_failed', `There is no "${file}" to make executable.`);
      continue;
    }
    try {
      const stats = fstatSync(descriptor);
      if (stats.isFile()) fchmodSync(descriptor, (stats.mode & PERMISSIONS) | EXECUTABLE);
    } finally {
      closeSync(descriptor);
    }
  }
}

function openIfThere(open: () => number): number | undefined {
  try {
    return open();
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
