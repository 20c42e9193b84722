import { isAccount } from '../../../../shared/domain/players/account.ts';
import { PLAYER_LISTS } from '../../../../shared/domain/players/player-list.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { offlineUuid } from '../../../../shared/node/players/offline-uuid.ts';
import { type ListPlace, readEntries } from './list-file.ts';
import { asInstant, readListedPlayers } from './listed-players.ts';

/** A player as vanilla's files name them. */
export interface Profile {
  name: string;
  uuid: string;
}

export interface KnownProfiles {
  known: readonly Profile[];
  /** Whether the server has, or had, a player with an account. */
  hasAccounts: boolean;
  /** `online-mode` in `server.properties`. */
  isOnlineMode: boolean;
}

/** Where vanilla keeps the players whom it has looked up or seen (minecraft.wiki, "usercache.json"). */
const CACHE = 'usercache.json';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Of a name in offline mode: version 3. */
const OF_NAME = /^.{14}3/;
/** Floodgate gives the players of Bedrock, whose names have a prefix, UUIDs of its own. */
const JAVA_NAME = /^\w+$/;

/**
 * Returns the players whose UUIDs a server's own files have. A file that cannot be read has none. Like vanilla, does not trust what the cache keeps
 * beyond its time: a name may have another owner by then. `isWanted`: which names of the cache are returned; default: all.
 */
export async function readProfiles(
  where: ListPlace,
  isWanted: (name: string) => boolean = () => true,
): Promise<Omit<KnownProfiles, 'isOnlineMode'>> {
  const lists = PLAYER_LISTS.filter((list) => where.definition.playerLists[list] !== undefined);
  const cached = orNone(readEntries(where.folder, CACHE));
  const listed = lists.map((list) => orNone(readListedPlayers(list, where)));
  const [all, ...others] = await Promise.all([cached, ...listed]);
  const wanted = all.filter((entry) => isProfile(entry) && isFresh(entry) && isWanted(entry.name));
  const profiles = [...wanted, ...others.flat()].filter(isProfile);
  return {
    known: profiles.map(({ name, uuid }) => ({ name, uuid })),
    hasAccounts: [...all.filter(isProfile), ...profiles].some(({ uuid }) => isAccount(uuid)),
  };
}

function isFresh(cached: unknown): boolean {
  const { expiresOn } = Object(cached) as { expiresOn?: unknown };
  const end = typeof expiresOn === 'string' ? asInstant(expiresOn) : undefined;
  return end !== undefined && Date.parse(end) > Date.now();
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
export function profileFor(name: string, profiles: KnownProfiles): Profile {
  const found = findProfile(name, profiles);
  if (found) return found;
  throw new GamekeeperError('player_not_found', `The server's files do not have the UUID of ${name}.`, {
    resolution: 'Start the server, which can look the player up, or let the player join once.',
  });
}

/** Like `profileFor`, but returns `undefined` if only the server can look the profile up. */
export function findProfile(name: string, { known, hasAccounts, isOnlineMode }: KnownProfiles): Profile | undefined {
  // In online mode nobody joins with the UUID of a name.
  const found = known.find(
    (profile) => profile.name.toLowerCase() === name.toLowerCase() && !(isOnlineMode && OF_NAME.test(profile.uuid)),
  );
  if (found) return found;
  return !isOnlineMode && !hasAccounts && JAVA_NAME.test(name) ? { name, uuid: offlineUuid(name) } : undefined;
}
