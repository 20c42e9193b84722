import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { syncDirectory } from '../../../../shared/node/files/atomic-file.ts';
import { removeTree } from '../../../../shared/node/files/remove-tree.ts';
import { copyIn } from '../../vendors/copy-in.ts';
import { hexOf } from '../../vendors/digest.ts';
import { conflict } from '../planning/resolve.ts';
import type { WaitingChange } from '../waiting-changes.ts';
import { nameKey } from './jar-name.ts';

/** Suffixes while a folder is being changed. No server loads files with such names. */
const COMING = '.gamekeeper-new';
const GOING = '.gamekeeper-old';

export interface FolderChange {
  /** Where it is open; see `openModFolder`. */
  folder: string;
  change: WaitingChange;
  /** The files to add, by their SHA-512. */
  sources: ReadonlyMap<string, string>;
}

/** After an interruption: undoes `change` if it was not complete; without one, removes what a complete change left behind. */
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
 * Adds and removes files of a stopped server, all or none. Removed files are kept under another name until the returned function is called.
 * Throws `mod_conflict` if the folder has changed since the change was planned.
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

function changed(file: string): GamekeeperError {
  return conflict(
    `${file} has changed since the change was planned.`,
    'Check the list of mods and request the change again.',
  );
}
