import { constants, copyFile, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { syncDirectory } from '../../../../shared/node/files/atomic-file.ts';
import { removeTree } from '../../../../shared/node/files/remove-tree.ts';
import { hexOf } from '../../vendors/digest.ts';
import { conflict } from '../planning/resolve.ts';
import type { WaitingChange } from '../waiting-changes.ts';
import { nameKey } from './jar-name.ts';

/** Behind a file's name, while a folder is being changed: no server loads what is called so. */
const COMING = '.gamekeeper-new';
const GOING = '.gamekeeper-old';

export interface FolderChange {
  /** As `prepareModFolder` gives it. */
  folder: string;
  change: WaitingChange;
  /** Where the files that come are, by their SHA-512. */
  sources: ReadonlyMap<string, string>;
}

/**
 * The folder of mods in an instance's, made where it is not there. Throws `invalid_state` for a link that leads elsewhere: what is
 * written and removed in it stays in the instance (CVE-2023-25152, CVE-2023-25168).
 */
export async function prepareModFolder(directory: string, name: string): Promise<string> {
  await mkdir(directory, { recursive: true });
  const folder = path.join(await realpath(directory), name);
  await mkdir(folder, { recursive: true });
  if ((await realpath(folder)) === folder) return folder;
  throw new GamekeeperError('invalid_state', `The folder ${name} is a link that leads out of the server's folder.`, {
    resolution: 'Put a folder in the place of the link.',
  });
}

/**
 * Takes back what a change that was cut off has begun: with `change`, what was to be done then; without, it had been done, and what it
 * left behind goes.
 */
export async function tidyFolder(folder: string, change: WaitingChange | undefined): Promise<void> {
  for (const { file, sha512 } of change?.puts ?? []) {
    const place = path.join(folder, file);
    if ((await hexOf(place, 'sha512')) === sha512) await rm(place);
  }
  for (const name of await readdir(folder)) {
    const place = path.join(folder, name);
    if (name.endsWith(COMING)) await removeTree(place);
    if (!name.endsWith(GOING)) continue;
    if (change) await rename(place, place.slice(0, -GOING.length));
    else await removeTree(place);
  }
}

/**
 * Puts files in and takes files out, of a server that does not run: all of it or, where anything fails, nothing. What goes is there
 * until the change is done for good; gives how to remove it then. Throws `mod_conflict` where the folder is not as it was.
 */
export async function changeFolder(
  { folder, change, sources }: FolderChange,
  signal: AbortSignal,
): Promise<() => Promise<void>> {
  await assertAsItWas(folder, change);
  const { puts, removes } = change;
  try {
    for (const { file, sha512 } of puts) {
      signal.throwIfAborted();
      await copyIn(sources.get(sha512) ?? '', path.join(folder, file + COMING));
    }
    signal.throwIfAborted();
    for (const { file } of removes) await rename(path.join(folder, file), path.join(folder, file + GOING));
    for (const { file } of puts) await rename(path.join(folder, file + COMING), path.join(folder, file));
    await syncDirectory(folder);
  } catch (error) {
    await tidyFolder(folder, change);
    throw error;
  }
  return () => tidyFolder(folder, undefined);
}

async function assertAsItWas(folder: string, { puts, removes }: WaitingChange): Promise<void> {
  for (const { file, sha512 } of removes)
    if ((await hexOf(path.join(folder, file), 'sha512')) !== sha512) throw changed(file);
  const goes = new Set(removes.map(({ file }) => file));
  const stays = new Set((await readdir(folder)).filter((file) => !goes.has(file)).map(nameKey));
  for (const { file } of puts) if (stays.has(nameKey(file))) throw changed(file);
}

/** A copy, so that whatever becomes of it here, the cache stays good; shared on disk where the file system can. */
async function copyIn(source: string, target: string): Promise<void> {
  await copyFile(source, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  const handle = await open(target, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function changed(file: string): GamekeeperError {
  return conflict(
    `${file} is not as it was when the change was planned.`,
    'Look at the list of mods and ask for the change again.',
  );
}
