import { type Dirent, opendirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { getProperties } from 'properties-file';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { bytesOf, shownName } from '../../../shared/node/files/file-name.ts';
import { viewFolder } from '../recognise/folder-view.ts';

/** Files that only worlds have: of Minecraft, Luanti, Terraria, Valheim, and saved games of others. */
const WORLD_FILE =
  /^(?:level\.dat|session\.lock|world\.mt|map\.sqlite)$|\.(?:mca|mcr|mcc|linear|wld|fwl|sav|savegame)$/i;
/** Regions lie up to two folders below the world (`DIM-1/region`), and worlds one below a folder of worlds. */
const MAX_DEPTH = 2;
/** Looked at per link, so that a link to `/` takes a moment only. */
const MAX_FOLDERS = 200;
const MAX_NAMES = 2_000;

/**
 * Throws `invalid_state` if one of these links, which lead out of the folder, leads to a world: the backup or export would lack the very
 * thing that it is made for. `source` is a real path, `links` are encoded as in file-name.ts.
 */
export function requireWorldInside(source: string, links: readonly string[], what: 'backup' | 'export'): void {
  if (links.length === 0) return;
  const isWorld = playedWorld(source);
  const world = links.find((link) => isWorld(link) || leadsToWorld(path.join(source, link)));
  if (world === undefined) return;
  const otherwise =
    what === 'backup'
      ? ' If something else backs it up, leave the link out with backups.exclude in the settings.'
      : ' Then export again.';
  throw new GamekeeperError(
    'invalid_state',
    `"${shownName(world)}" is a link that leads out of the server's folder, so the world would not be in the ${what}.`,
    { resolution: `Move the world into the server's folder, in place of the link.${otherwise}` },
  );
}

/** Throws `invalid_state` if one of these links, which lead to something else in the folder, stands for the world: exports contain no links. */
export function requireWorldUnlinked(source: string, links: readonly string[]): void {
  if (links.length === 0) return;
  const world = links.find(playedWorld(source));
  if (world === undefined) return;
  throw new GamekeeperError(
    'invalid_state',
    `"${shownName(world)}" is a link, and exports contain no links, so the imported server would not find its world.`,
    { resolution: 'Move the world to the place of the link. Then export again.' },
  );
}

/** Returns a function that tests whether a link stands for the world that is played, or for a folder above it. */
function playedWorld(source: string): (link: string) => boolean {
  const level = levelName(source);
  return (link) => isOnTheWay(link, level) || isOnTheWay(link, `worlds/${level}`);
}

/** The name of the world that is played; Minecraft's default if nothing says so. */
function levelName(source: string): string {
  try {
    const text = viewFolder(source).text('server.properties') ?? '';
    return path.posix.normalize(getProperties(text)['level-name'] || 'world');
  } catch {
    return 'world'; // not a valid properties file
  }
}

function isOnTheWay(link: string, folder: string): boolean {
  return folder === link || folder.startsWith(`${link}/`);
}

function leadsToWorld(link: string): boolean {
  if (WORLD_FILE.test(path.basename(link))) return true;
  let folders: string[];
  try {
    folders = [realpathSync(bytesOf(link))];
  } catch {
    return false; // Too long to follow, or just removed.
  }
  let looked = 0;
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const below: string[] = [];
    for (const folder of folders) {
      if (++looked > MAX_FOLDERS) return false;
      const items = itemsIn(folder);
      if (items.some((item) => WORLD_FILE.test(item.name))) return true;
      below.push(...items.filter((item) => item.isDirectory()).map(({ name }) => path.join(folder, name)));
    }
    folders = below;
  }
  return false;
}

function itemsIn(folder: string): Dirent[] {
  const items: Dirent[] = [];
  try {
    const open = opendirSync(folder);
    try {
      for (let item = open.readSync(); item && items.length < MAX_NAMES; item = open.readSync()) items.push(item);
    } finally {
      open.closeSync();
    }
  } catch {
    // A file, or not readable.
  }
  return items;
}
