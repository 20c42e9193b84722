import { randomBytes } from 'node:crypto';
import { OWN_FOLDER, UNPACKED_FOLDER } from '../../../shared/domain/files/file-path.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { removeUnfinished } from '../../../shared/node/files/under-construction.ts';
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

/** Removes what former processes have not finished. `now` in milliseconds since the epoch. */
export async function removeLeftovers(root: string, now: number): Promise<void> {
  const former = namesIn(root, STAGING).filter((name) => !name.startsWith(OURS));
  for (const name of former) await removeUnfinished(root, `${STAGING}/${name}`);
  for (const name of namesIn(root, UNPACKED_FOLDER)) {
    const path = `${UNPACKED_FOLDER}/${name}`;
    if (now - changedAt(root, path, now) > LONGEST_JOB_MS) await removeUnfinished(root, path);
  }
}

function changedAt(root: string, path: string, now: number): number {
  using cursor = new TreeCursor(root);
  return Number(statAt(cursor.placeOf(path))?.mtimeMs ?? now);
}
