import { PLAYER_LISTS } from '../../../shared/domain/players/player-list.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { offlineUuid } from '../../../shared/node/players/offline-uuid.ts';
import { type ListPlace, readEntries } from './list-file.ts';
import { readListedPlayers } from './listed-players.ts';

/** A player as vanilla's files name them. */
export interface Profile {
  name: string;
  uuid: string;
}

export interface KnownProfiles {
  known: readonly Profile[];
  /** `online-mode` in `server.properties`. */
  isOnlineMode: boolean;
}

/** Where vanilla keeps the players whom it has looked up or seen (minecraft.wiki, "usercache.json"). */
const CACHE = 'usercache.json';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Of Mojang's accounts: version 4. */
const OF_ACCOUNT = /^.{14}4/;
/** Floodgate gives the players of Bedrock, whose names have a prefix, UUIDs of its own. */
const JAVA_NAME = /^\w+$/;

/** Returns the players whose UUIDs a server's own files have. A file that cannot be read has none. */
export async function readProfiles(where: ListPlace): Promise<Profile[]> {
  const lists = PLAYER_LISTS.filter((list) => where.definition.playerLists[list] !== undefined);
  const cached = orNone(readEntries(where.folder, CACHE));
  const listed = lists.map((list) => orNone(readListedPlayers(list, where)));
  const found = await Promise.all([cached, ...listed]);
  return found.flat().flatMap((entry) => (isProfile(entry) ? [{ name: entry.name, uuid: entry.uuid }] : []));
}

async function orNone(entries: Promise<unknown[] | undefined>): Promise<unknown[]> {
  try {
    return (await entries) ?? [];
  } catch (error) {
    if (error instanceof GamekeeperError) return [];
    throw error;
  }
}

function isProfile(entry: unknown): entry is Profile {
  if (typeof entry !== 'object' || entry === null) return false;
  const { name, uuid } = entry as Partial<Record<keyof Profile, unknown>>;
  return typeof name === 'string' && typeof uuid === 'string' && UUID.test(uuid);
}

/**
 * Returns the profile that the server has or will give to a name. Throws `player_not_found` if only the server can look it up: in online mode, and
 * behind a proxy that forwards the UUIDs of accounts, where `online-mode` is off but the players known have such UUIDs.
 */
export function profileFor(name: string, { known, isOnlineMode }: KnownProfiles): Profile {
  const found = known.find((profile) => profile.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  const hasAccounts = isOnlineMode || known.some(({ uuid }) => OF_ACCOUNT.test(uuid));
  if (!hasAccounts && JAVA_NAME.test(name)) return { name, uuid: offlineUuid(name) };
  throw new GamekeeperError('player_not_found', `The server's files do not have the UUID of ${name}.`, {
    resolution: 'Start the server, which can look the player up, or let the player join once.',
  });
}
