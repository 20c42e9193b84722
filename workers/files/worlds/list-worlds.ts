import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { getProperties } from 'properties-file';
import { isOwnName } from '../../../shared/domain/files/file-path.ts';
import { isDimension, worldFolders } from '../../../shared/domain/world-folders.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { nameOf } from '../../../shared/node/files/file-name.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import type { World, WorldList } from '../../../shared/schema/worlds.ts';
import { kindOf, listedName } from '../folder/entry.ts';
import { explained } from '../folder/file-error.ts';
import { openFile } from '../folder/open-file.ts';
import { createTurns } from '../folder/turns.ts';
import { folderUsage } from '../search/folder-usage.ts';
import { type Level, MOST_LEVEL_BYTES, readLevel } from './read-level.ts';

const MOST_WORLDS = 100;
const MOST_PACKS = 100;
const MOST_PROPERTIES_BYTES = 1024 * 1024;
const DEFAULT_WORLD = 'world';
/** Time for the sizes of all worlds together. */
const MOST_COUNTING_MS = 5_000;
const MOST_COUNTED = 500_000;

/** Returns the worlds in a server's folder: the folders with a `level.dat`, the current one first. Links are not followed. */
export async function listWorlds(root: string, signal: AbortSignal): Promise<WorldList> {
  const names = await foldersIn(root, '');
  const saved = await savedWorlds(root, names, signal);
  const own = [...saved].filter((name) => !isDimension(name, saved)).slice(0, MOST_WORLDS);
  const current = currentWorld(root);
  const worlds: World[] = [];
  const until = performance.now() + MOST_COUNTING_MS;
  for (const folder of own) {
    const folders = worldFolders(folder).filter((name) => names.includes(name));
    worlds.push({
      folder,
      isCurrent: folder === current,
      ...(await levelIn(root, folder)),
      ...(await sizeOf(root, folders, { until, signal })),
      folders,
      dataPacks: await dataPacksIn(root, folder),
    });
  }
  return { worlds: worlds.sort((one, other) => Number(other.isCurrent) - Number(one.isCurrent)) };
}

/** Returns the folders that have a `level.dat`. */
async function savedWorlds(root: string, names: readonly string[], signal: AbortSignal): Promise<Set<string>> {
  const saved = new Set<string>();
  const turns = createTurns(signal);
  for (const name of names) {
    await turns.next();
    if (isOrdinaryFile(root, `${name}/level.dat`)) saved.add(name);
  }
  return saved;
}

async function levelIn(root: string, folder: string): Promise<Level & { problem?: string }> {
  try {
    return await readLevel(readSmall(root, `${folder}/level.dat`, MOST_LEVEL_BYTES));
  } catch {
    // Written by anybody, with any content.
    return { problem: 'level.dat is damaged, too large or of another kind' };
  }
}

/** Returns nothing if there is too much to count. */
async function sizeOf(
  root: string,
  folders: readonly string[],
  { until, signal }: { until: number; signal: AbortSignal },
): Promise<{ sizeBytes?: number }> {
  let total = 0;
  for (const folder of folders) {
    const limits = { entries: MOST_COUNTED, milliseconds: until - performance.now() };
    const { sizeBytes, stoppedBy } = await folderUsage(root, folder, signal, limits).catch(gone);
    if (stoppedBy) return {};
    total += sizeBytes;
  }
  return { sizeBytes: total };
}

/** For a folder that was removed meanwhile. */
function gone(error: unknown): { sizeBytes: number; stoppedBy?: undefined } {
  if (error instanceof GamekeeperError) return { sizeBytes: 0 };
  throw error;
}

async function dataPacksIn(root: string, folder: string): Promise<string[]> {
  try {
    const packs = await entriesIn(root, `${folder}/datapacks`);
    return packs.map(({ name }) => listedName(name)).slice(0, MOST_PACKS);
  } catch (error) {
    if (error instanceof GamekeeperError) return []; // There are none.
    throw error;
  }
}

/** The world that the server loads. */
function currentWorld(root: string): string {
  try {
    const properties = getProperties(readSmall(root, 'server.properties', MOST_PROPERTIES_BYTES));
    return properties['level-name'] || DEFAULT_WORLD;
  } catch {
    return DEFAULT_WORLD; // The server has not written it yet, or nobody can read it.
  }
}

async function foldersIn(root: string, path: string): Promise<string[]> {
  const entries = await entriesIn(root, path);
  return entries.filter(({ kind, name }) => kind === 'folder' && !isOwnName(name)).map(({ name }) => name);
}

async function entriesIn(root: string, path: string) {
  return explained(path, async () => {
    using cursor = new TreeCursor(root);
    const found = await readdir(cursor.enter(path), { withFileTypes: true, encoding: 'buffer' });
    return found.map((entry) => ({ name: nameOf(entry.name), kind: kindOf(entry) })).sort(byName);
  });
}

function byName(one: { name: string }, other: { name: string }): number {
  return one.name < other.name ? -1 : 1;
}

function isOrdinaryFile(root: string, path: string): boolean {
  try {
    openFile(root, path)[Symbol.dispose]();
    return true;
  } catch (error) {
    if (error instanceof GamekeeperError) return false;
    throw error;
  }
}

function readSmall(root: string, path: string, most: number): Buffer {
  using file = openFile(root, path);
  if (file.stats.size > most) throw new GamekeeperError('invalid_path', `"${path}" is too large.`);
  return readFileSync(file.descriptor);
}
