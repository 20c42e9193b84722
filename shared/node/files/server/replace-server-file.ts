import { stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, hasErrorCode } from '../../../errors/error-code.ts';
import { GamekeeperError } from '../../../errors/gamekeeper-error.ts';
import { writeFileAtomically } from '../atomic-file.ts';
import { type Owner, ownerOf } from '../owner.ts';
import { locateServerFile } from './server-file.ts';

/** The file may contain passwords. */
const NEW_FILE_MODE = 0o600;

/**
 * Writes a settings file of a game server in one step, through a link within its folder, keeping mode and owner. Throws `invalid_state` or
 * `insufficient_storage`, saying what to do, if it cannot be written.
 */
export async function replaceServerFile(file: string, bytes: Buffer): Promise<void> {
  const target = await whereItReallyIs(file);
  await writeFileAtomically(target.path, bytes, target.mode, target.owner).catch((error: unknown) => {
    throw explained(error, path.basename(file));
  });
}

/**
 * Follows a symbolic link within the folder, which a rename would replace. Returns the file's mode and owner as well, to keep them: a server
 * may run as another user. A new file belongs to the owner of the folder.
 */
async function whereItReallyIs(file: string): Promise<{ path: string; mode: number; owner: Owner | undefined }> {
  try {
    const target = await locateServerFile(file);
    const stats = await stat(target);
    return { path: target, mode: stats.mode & 0o777, owner: ownerOf(stats) };
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
    const folder = await stat(path.dirname(file)).catch(() => undefined); // writing will fail and say so
    return { path: file, mode: NEW_FILE_MODE, owner: folder && ownerOf(folder) };
  }
}

/** Turns the errors that the owner of the folder can fix into ones that say how. */
function explained(error: unknown, name: string): unknown {
  const code = errorCode(error);
  const options = { cause: error };
  switch (code) {
    case 'ENOENT':
      return new GamekeeperError('invalid_state', "The instance's folder does not exist.", {
        resolution: 'Put the folder back, or delete the instance and create it again.',
        ...options,
      });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new GamekeeperError('invalid_state', `${name} is not writable.`, {
        resolution: 'Give the user that runs Gamekeeper write access to the folder.',
        ...options,
      });
    case 'ENOSPC':
    case 'EDQUOT':
      return new GamekeeperError('insufficient_storage', `The disk is too full to write ${name}.`, options);
    default:
      return error;
  }
}
