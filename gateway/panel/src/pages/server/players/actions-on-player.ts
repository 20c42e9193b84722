import type { Listed, PlayerAction, PlayerRequest } from '../../../api/players.ts';
import type { PlayerState } from './player-state.ts';

/** Vanilla's own. */
const DEFAULT_LEVEL = 4;

/** What a request to ban may hold. Seconds. */
const SHORTEST_BAN = 60;
const LONGEST_BAN = 315_576_000;
/** Other reasons would change on their way to the server. */
const PLAIN_REASON = /^[^\p{Cc}§]{1,200}$/u;

/** Returns the actions that make sense for a player. A list that the software does not keep may still have the player. */
export function actionsOn(state: PlayerState): PlayerAction[] {
  return [
    ...(state.online ? (['kick'] as const) : []),
    state.operators || state.online?.op ? 'deop' : 'op',
    state.allowlist ? 'unwhitelist' : 'whitelist',
    state.bans ? 'pardon' : 'ban',
  ];
}

interface UndoFacts {
  /** What the command of a running server gives every operator; `any` while the server is stopped, `unknown` until the panel knows it. */
  levelGiven: number | 'any' | 'unknown';
  /** Milliseconds since the epoch. */
  now: number;
}

/** Returns the request that undoes a change of the lists; absent if none would leave everything as it was. */
export function undoOf(
  { name, action }: PlayerRequest,
  before: PlayerState,
  { levelGiven, now }: UndoFacts,
): PlayerRequest | undefined {
  if (action === 'whitelist') return { name, action: 'unwhitelist' };
  if (action === 'unwhitelist') return { name, action: 'whitelist' };
  if (action === 'ban') return before.bans ? undefined : { name, action: 'pardon' };
  if (action === 'pardon') return before.bans && sameBan(before.bans, name, now);
  const { level = DEFAULT_LEVEL, bypassesPlayerLimit } = before.operators ?? {};
  if (action === 'op') return before.operators ? { name, action, level } : { name, action: 'deop' };
  if (action !== 'deop' || bypassesPlayerLimit) return undefined;
  if (levelGiven === 'any') return { name, action: 'op', level };
  return level === levelGiven ? { name, action: 'op' } : undefined;
}

/** Returns the request for a ban like one that was ended, with the same reason and end. */
function sameBan({ reason, expiresAt }: Listed, name: string, now: number): PlayerRequest | undefined {
  if (reason !== undefined && !PLAIN_REASON.test(reason)) return undefined;
  const ban = { name, action: 'ban', ...(reason !== undefined && { reason }) } as const;
  if (expiresAt === undefined) return ban;
  const durationSeconds = Math.round((Date.parse(expiresAt) - now) / 1_000);
  return durationSeconds >= SHORTEST_BAN && durationSeconds <= LONGEST_BAN ? { ...ban, durationSeconds } : undefined;
}

/** Returns the level that a server gives to an operator for whom none was chosen. */
export function levelGivenWith(properties: Readonly<Record<string, string>>): number {
  const level = Number(properties['op-permission-level']);
  return [1, 2, 3, 4].includes(level) ? level : DEFAULT_LEVEL;
}

/** Before 1.7.6 (minecraft.wiki, "ops.json"), the lists are in another format, which only the server changes. */
const WITHOUT_JSON = /^(?:[abc]\d|rd-|inf-|1\.[0-6](?:\D|$)|1\.7(?:\.[0-5])?(?:[^.\d]|$))/;

/** Returns whether the lists of a version can be changed while the server is stopped. */
export function hasEditableLists(version: string): boolean {
  return !WITHOUT_JSON.test(version);
}
