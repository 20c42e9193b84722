import { randomBytes } from 'node:crypto';
import { OWN_FOLDER, splitFilePath, UNPACKED_FOLDER } from '../../../shared/domain/files/file-path.ts';
import { removeTree } from '../../../shared/node/files/remove-tree.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { statAt } from '../folder/entry.ts';
import { namesIn } from '../folder/own-folder.ts';

/** What is not finished yet is in the instance's folder, so that a rename publishes it. */
const STAGING = `${OWN_FOLDER}/staged`;
/** Tells what this process makes from what a former one has left behind. */
const OURS = `${randomBytes(4).toString('hex')}-`;
/** What jobs unpack belongs to another process, which may be at work. */
const LONGEST_JOB_MS = 24 * 60 * 60 * 1_000;

/** Returns a new path in Gamekeeper's folder. */
export function newStagedPath(): string {
  return `${STAGING}/${OURS}${randomBytes(8).toString('hex')}`;
}

/**
 * Returns a new path for something that is made for the folder of `target` and renamed to `target` when it is whole: in Gamekeeper's folder, or beside
 * the target if another disk is mounted on the way to it. Throws as TreeCursor does.
 */
export function pathUnderConstruction(root: string, target: string): string {
  const own = newStagedPath();
  const { folder } = splitFilePath(target);
  using cursor = new TreeCursor(root);
  const deviceOf = (path: string, create?: () => void) => statAt(`${cursor.enter(path, create)}/.`)?.dev;
  if (deviceOf(folder) === deviceOf(STAGING, () => undefined)) return own;
  return `${folder}/.gamekeeper-staged-${splitFilePath(own).name}`;
}

/** Removes from Gamekeeper's folder what former processes have not finished. `now` in milliseconds since the epoch. */
export async function removeLeftovers(root: string, now: number): Promise<void> {
  using cursor = new TreeCursor(root);
  const former = namesIn(root, STAGING).filter((name) => !name.startsWith(OURS));
  const unpacked = namesIn(root, UNPACKED_FOLDER).map((name) => `${UNPACKED_FOLDER}/${name}`);
  const isOld = (path: string) => now - Number(statAt(cursor.placeOf(path))?.mtimeMs ?? now) > LONGEST_JOB_MS;
  for (const path of [...former.map((name) => `${STAGING}/${name}`), ...unpacked.filter(isOld)])
    await removeTree(cursor.placeOf(path));
}
