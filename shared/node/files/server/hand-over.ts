import { lchownSync, lstatSync, readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { hasErrorCode } from '../../../errors/error-code.ts';
import type { SystemUser } from '../../processes/system-user.ts';
import { bytesOf, nameOf } from '../file-name.ts';
import { mountPoints } from '../mount-points.ts';
import { TreeCursor } from '../tree-cursor.ts';

/**
 * Gives a server's folder and everything in it to a user. Only root can. What a link leads to keeps its owner, even if the link replaces
 * something meanwhile, and so does what is mounted there. A name that vanishes is passed over, since somebody may be tidying up. `directory`
 * must have no links on the way to it.
 */
export async function handOver(directory: string, user: SystemUser): Promise<void> {
  // A bind mount has the device of its file system.
  const mounts = new Set(await mountPoints());
  using cursor = new TreeCursor(directory);
  const top = `${cursor.enter('')}/.`;
  const { dev } = lstatSync(top);
  give(top, user, dev);
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const place = enter(cursor, folder);
    if (place === undefined) continue;
    for (const entry of readdirSync(place, { withFileTypes: true, encoding: 'buffer' })) {
      const name = nameOf(entry.name);
      const path = folder === '' ? name : `${folder}/${name}`;
      if (mounts.has(`${directory}/${path}`)) continue;
      give(`${place}/${name}`, user, dev);
      if (entry.isDirectory()) folders.push(path);
    }
    await setImmediate(); // other work gets its turn
  }
}

function enter(cursor: TreeCursor, folder: string): string | undefined {
  try {
    return cursor.enter(folder);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return undefined; // it is no folder any more
    throw error;
  }
}

function give(place: string, { uid, gid }: SystemUser, device: number): void {
  const bytes = bytesOf(place);
  try {
    const stats = lstatSync(bytes);
    if (stats.dev === device && stats.uid !== uid) lchownSync(bytes, uid, gid);
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
  }
}
