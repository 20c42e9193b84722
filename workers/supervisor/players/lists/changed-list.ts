import type { PlayerAction, PlayerActionRequest } from '../../../../shared/domain/players/player-action.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { BanEnd } from '../bans/ban-ends.ts';
import { plainReason } from '../plain-reason.ts';
import { LIST_CHANGES } from './list-changes.ts';
import { asListedPlayer, type ListedPlayer } from './listed-players.ts';
import { findProfile, type KnownProfiles, profileFor } from './profiles.ts';

export type ListAction = Exclude<PlayerAction, 'kick'>;
export type ListRequest = PlayerActionRequest & { action: ListAction };

export interface ListFacts {
  profiles: KnownProfiles;
  /** The level of an operator for whom none was chosen. */
  level: number;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Who has banned a player, in the server's list. */
const SOURCE = 'Gamekeeper';
/** Vanilla's own. */
const NO_REASON = 'Banned by an operator.';

/**
 * Returns a list after an action as vanilla would write it (minecraft.wiki, "ops.json"), and the answer of vanilla's command. Other entries stay as they
 * are. Throws `command_rejected` if there is nothing to do, and `player_not_found` as `profileFor` does.
 */
export function changedList(
  entries: readonly unknown[],
  request: ListRequest,
  facts: ListFacts,
): { entries: unknown[]; answer: string } {
  const { name, action } = request;
  const { adds, already, done } = LIST_CHANGES[action];
  const mine = entries.filter(isOf(name, findProfile(name, facts.profiles)?.uuid));
  const listed = mine.find((entry) => isInForce(entry, facts.now));
  if (action === 'op' && listed !== undefined && isOtherLevel(listed, request)) {
    const changed = { ...(listed as object), level: request.level };
    return {
      entries: entries.flatMap((entry) => (entry === listed ? [changed] : mine.includes(entry) ? [] : [entry])),
      answer: done(textIn(listed, 'name') ?? name),
    };
  }
  if ((listed !== undefined) === adds) throw new GamekeeperError('command_rejected', already);
  const others = entries.filter((entry) => !mine.includes(entry));
  if (!adds) return { entries: others, answer: done(textIn(mine[0], 'name') ?? name) };
  const profile = profileFor(name, facts.profiles);
  const reason = action === 'ban' ? plainReason(request.reason ?? '') : '';
  const answer = reason === '' ? done(profile.name) : `${done(profile.name)}: ${reason}`;
  return { entries: [...others, { ...profile, ...detailsOf(request, reason, facts) }], answer };
}

/** Returns a test for the entries of a player. The name in a list, whose case servers ignore, may be older than the account's present one. */
function isOf(name: string, uuid: string | undefined): (entry: unknown) => boolean {
  const wanted = { name: name.toLowerCase(), uuid: uuid?.toLowerCase() };
  return (entry) => {
    const listed = textIn(entry, 'name')?.toLowerCase();
    if (listed === wanted.name) return true;
    return listed !== undefined && wanted.uuid !== undefined && textIn(entry, 'uuid')?.toLowerCase() === wanted.uuid;
  };
}

function textIn(entry: unknown, key: 'name' | 'uuid'): string | undefined {
  const value: unknown = (Object(entry) as Record<typeof key, unknown>)[key];
  return typeof value === 'string' ? value : undefined;
}

function isOtherLevel(entry: unknown, { level }: ListRequest): boolean {
  return level !== undefined && asListedPlayer(entry)[0]?.level !== level;
}

/** Vanilla removes a ban that has expired when it next looks at it. */
function isInForce(entry: unknown, now: number): boolean {
  const expiresAt = asListedPlayer(entry)[0]?.expiresAt;
  return expiresAt === undefined || Date.parse(expiresAt) > now;
}

/** The game and Gamekeeper have the same clock, but a game that hangs bans late. Milliseconds. */
const BANNED_LATE_MS = 60_000;
/** From the ban to its answer, which may take two minutes. Milliseconds. */
const ANSWERED_LATE_MS = 180_000;

/** Returns whether a ban was made before or after the one that ends. */
export function isOtherBan({ createdAt }: Pick<ListedPlayer, 'createdAt'>, { bannedAt }: BanEnd): boolean {
  if (createdAt === undefined) return false;
  const lateMs = Date.parse(createdAt) - bannedAt;
  return lateMs > BANNED_LATE_MS || lateMs < -ANSWERED_LATE_MS;
}

/** Returns a ban with the end that its server does not know. */
export function withEnd(ban: ListedPlayer, end: BanEnd | undefined): ListedPlayer {
  return end && !isOtherBan(ban, end) ? { ...ban, expiresAt: new Date(end.endsAt).toISOString() } : ban;
}

/** Returns a list of bans in which those that end have their end. */
export function withEnds(entries: readonly unknown[], ends: readonly BanEnd[]): unknown[] {
  const endOf = new Map(ends.map((end) => [end.name.toLowerCase(), end]));
  return entries.map((entry) => {
    const [ban] = asListedPlayer(entry);
    const end = ban && endOf.get(ban.name.toLowerCase());
    return end && !isOtherBan(ban, end) ? { ...(entry as object), expires: asBanTime(end.endsAt) } : entry;
  });
}

function detailsOf(request: ListRequest, reason: string, { level, now }: ListFacts): object {
  const { action, durationSeconds } = request;
  if (action === 'op') return { level: request.level ?? level, bypassesPlayerLimit: false };
  if (action !== 'ban') return {};
  return {
    created: asBanTime(now),
    source: SOURCE,
    expires: durationSeconds === undefined ? 'forever' : asBanTime(now + durationSeconds * 1000),
    reason: reason === '' ? NO_REASON : reason,
  };
}

/** Formats a time like vanilla: `2026-11-20 08:15:00 +0000`. */
function asBanTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} +0000`;
}
