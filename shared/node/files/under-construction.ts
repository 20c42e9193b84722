import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { filePathProblem, splitFilePath, UNFINISHED_PREFIX } from '../../domain/files/file-path.ts';
import { hasErrorCode } from '../../errors/error-code.ts';
import { bytesOf } from './file-name.ts';
import { removeTree } from './remove-tree.ts';
import { TreeCursor } from './tree-cursor.ts';

/** Ends the name of a note in Gamekeeper's folder that names the place of such a file or folder. */
const NOTE = '.elsewhere';
/** Longer than any path, escaped. */
const LONGEST_NOTE_BYTES = 64 * 1024;

const ORDINARY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export interface UnderConstruction extends AsyncDisposable {
  /** Relative to the instance's folder. Nothing is there yet. */
  readonly path: string;
  /** True if that is not in Gamekeeper's folder, since the target is on another disk. */
  readonly isElsewhere: boolean;
}

/**
 * Returns where to make something that is renamed into `folder` when it is whole: at `own`, a new path in Gamekeeper's folder, or, if `folder` is on
 * another disk, in it, with a note at `own` for `removeUnfinished`. Disposing it removes what is still there. Throws as TreeCursor does.
 */
export function underConstruction(root: string, { own, folder }: { own: string; folder: string }): UnderConstruction {
  using cursor = new TreeCursor(root);
  const ownFolder = splitFilePath(own).folder;
  const device = deviceOf(cursor.enter(ownFolder, () => undefined));
  const isElsewhere = deviceOf(cursor.enter(folder)) !== device;
  const name = `${UNFINISHED_PREFIX}${splitFilePath(own).name}`;
  const path = !isElsewhere ? own : folder === '' ? name : `${folder}/${name}`;
  if (isElsewhere) writeFileSync(cursor.placeOf(`${own}${NOTE}`), JSON.stringify(path), { flag: 'wx', mode: 0o600 });
  return {
    path,
    isElsewhere,
    async [Symbol.asyncDispose]() {
      await removeAt(root, path);
      if (isElsewhere) await removeAt(root, `${own}${NOTE}`);
    },
  };
}

/** Removes an entry of Gamekeeper's folder, and if it is a note of `underConstruction`, what it names. */
export async function removeUnfinished(root: string, own: string): Promise<void> {
  if (own.endsWith(NOTE)) {
    const noted = readNote(root, own);
    if (noted !== undefined) await removeAt(root, noted);
  }
  await removeAt(root, own);
}

/** Returns `undefined` unless `underConstruction` has written it: the game may write here, too. */
function readNote(root: string, own: string): string | undefined {
  try {
    using cursor = new TreeCursor(root);
    using note = openNote(bytesOf(cursor.placeOf(own)));
    const stats = fstatSync(note.descriptor);
    if (!stats.isFile() || stats.size > LONGEST_NOTE_BYTES) return undefined;
    const path: unknown = JSON.parse(readFileSync(note.descriptor, 'utf8'));
    if (typeof path !== 'string' || filePathProblem(path, process.platform) !== undefined) return undefined;
    return splitFilePath(path).name.startsWith(UNFINISHED_PREFIX) ? path : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || isGone(error)) return undefined;
    throw error;
  }
}

function openNote(place: string | Buffer): Disposable & { descriptor: number } {
  const descriptor = openSync(place, ORDINARY);
  return { descriptor, [Symbol.dispose]: () => closeSync(descriptor) };
}

async function removeAt(root: string, path: string): Promise<void> {
  try {
    using cursor = new TreeCursor(root);
    await removeTree(cursor.placeOf(path));
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** The folder that it was in is gone, or is no folder any more. */
function isGone(error: unknown): boolean {
  return hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP');
}

function deviceOf(folder: string): bigint {
  return lstatSync(`${folder}/.`, { bigint: true }).dev;
}
