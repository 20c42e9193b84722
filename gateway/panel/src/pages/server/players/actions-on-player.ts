import type { PlayerAction, PlayerRequest } from '../../../api/players.ts';
import type { PlayerState } from './player-state.ts';

/** Vanilla's own. */
const DEFAULT_LEVEL = 4;

/** Returns the actions that make sense for a player. A list that the software does not keep may still have the player. */
export function actionsOn(state: PlayerState): PlayerAction[] {
  return [
    ...(state.online ? (['kick'] as const) : []),
    state.operators || state.online?.op ? 'deop' : 'op',
    state.allowlist ? 'unwhitelist' : 'whitelist',
    state.bans ? 'pardon' : 'ban',
  ];
}

/**
 * Returns the request that undoes a change of the whitelist or the operators; absent if none would leave everything as it was. The command of a running
 * server gives every operator the same rights.
 */
export function undoOf(
  { name, action }: PlayerRequest,
  before: PlayerState,
  isRunning: boolean,
): PlayerRequest | undefined {
  if (action === 'whitelist') return { name, action: 'unwhitelist' };
  if (action === 'unwhitelist') return { name, action: 'whitelist' };
  const { level = DEFAULT_LEVEL, bypassesPlayerLimit } = before.operators ?? {};
  if (action === 'op') return before.operators ? { name, action, level } : { name, action: 'deop' };
  if (action !== 'deop' || bypassesPlayerLimit || (isRunning && level !== DEFAULT_LEVEL)) return undefined;
  return { name, action: 'op', ...(!isRunning && { level }) };
}
