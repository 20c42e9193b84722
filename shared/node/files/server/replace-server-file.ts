import { lstatSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, hasErrorCode } from '../../../errors/error-code.ts';
import { GamekeeperError } from '../../../errors/gamekeeper-error.ts';
import { writeFileAtomically } from '../atomic-file.ts';
import { ownerOf } from '../owner.ts';
import { TreeCursor } from '../tree-cursor.ts';
import { requireInside } from './server-file.ts';

/** The file may contain passwords. */
const NEW_FILE_MODE = 0o600;

/**
 * Writes a settings file of a game server in one step, through a link within its folder, keeping mode and owner: a server may run as another user.
 * A new file belongs to the owner of the folder. Nothing outside of the folder is touched, even if a link replaces something on the way
 * meanwhile. Throws `invalid_state` or `insufficient_storage`, saying what to do, if it cannot be written.
 */
export async function replaceServerFile(file: string, bytes: Buffer): Promise<void> {
  try {
    const folder = await realpath(path.dirname(file));
    const name = await nameIn(folder, file);
    using cursor = new TreeCursor(folder);
    const place = cursor.placeOf(name);
    const before = lstatSync(place, { throwIfNoEntry: false });
    const { uid, gid } = before?.isFile() ? before : lstatSync(`${path.dirname(place)}/.`);
    const mode = before?.isFile() ? before.mode & 0o777 : NEW_FILE_MODE;
    await writeFileAtomically(place, bytes, mode, ownerOf({ uid, gid }));
  } catch (error) {
    throw explained(error, path.basename(file));
  }
}

/** Follows a link within the folder, which a rename would replace. Returns where the file is, relative to the folder. */
async function nameIn(folder: string, file: string): Promise<string> {
  try {
    const place = await realpath(file);
    requireInside(file, { place, folder });
    return path.relative(folder, place).replaceAll(path.sep, '/');
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
    return path.basename(file);
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
