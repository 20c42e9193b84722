import { realpath } from 'node:fs/promises';
import { hasErrorCode } from '../../../errors/error-code.ts';
import { GamekeeperError } from '../../../errors/gamekeeper-error.ts';

/** Returns the folder of a server with links resolved. Throws `file_not_found` if it is missing. */
export async function realServerFolder(directory: string): Promise<string> {
  try {
    return await realpath(directory);
  } catch (cause) {
    if (!hasErrorCode(cause, 'ENOENT', 'ENOTDIR')) throw cause;
    throw new GamekeeperError('file_not_found', 'The folder of this server is missing.', {
      resolution: 'Start the server once, or restore a backup. If its disk is not mounted, mount it.',
      cause,
    });
  }
}
