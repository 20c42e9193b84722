import { ManagementError } from './management-error.ts';

/** A player in the management protocol. */
export interface ManagedPlayer {
  name: string;
  uuid: string | undefined;
}

/** Returns the player in a notification or list entry, which is a player or has one; `undefined` for anything else. */
export function asPlayer(value: unknown): ManagedPlayer | undefined {
  // One level deep only: a hostile server could nest them until the stack is full.
  const player = typeof value === 'object' && value !== null && 'player' in value ? value.player : value;
  if (typeof player !== 'object' || player === null) return undefined;
  const name = 'name' in player ? player.name : undefined;
  const id = 'id' in player ? player.id : undefined;
  return typeof name === 'string' ? { name, uuid: typeof id === 'string' ? id : undefined } : undefined;
}

/** Returns the players in a result. Throws ManagementError `refused` if the result is not a list. */
export function asPlayers(result: unknown): ManagedPlayer[] {
  if (!Array.isArray(result)) throw new ManagementError('refused', 'The management server did not return a list');
  return result.map(asPlayer).filter((player) => player !== undefined);
}
