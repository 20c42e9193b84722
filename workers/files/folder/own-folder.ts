import { readdirSync } from 'node:fs';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';

/** Returns the names in a folder of Gamekeeper inside an instance's folder. None if it is missing, or if the game has put something else there. */
export function namesIn(root: string, folder: string): string[] {
  try {
    using cursor = new TreeCursor(root);
    return readdirSync(cursor.enter(folder));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return [];
    throw error;
  }
}
