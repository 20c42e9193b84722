import { realpath } from 'node:fs/promises';
import path from 'node:path';

/** Returns the same path with the links in its folder's path resolved. The file itself need not exist, and is not followed. */
export async function withRealParent(file: string): Promise<string> {
  return path.join(await realpath(path.dirname(file)), path.basename(file));
}
