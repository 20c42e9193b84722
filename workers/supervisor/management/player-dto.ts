import { ManagementError } from './management-error.ts';

/** A player in the management protocol. */
export interface ManagedPlayer {
  name: string;
  uuid: string | undefined;
}

/** Returns the player in a notification or list entry, which is a player or contains one; `undefined` for anything else. */
export function asPlayer(value: unknown): ManagedPlayer | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('player' in value) return asPlayer(value.player);
  const name = 'name' in value ? value.name : undefined;
  const id = 'id' in value ? value.id : undefined;
  return typeof name === 'string' ? { name, uuid: typeof id === 'string' ? id : undefined } : undefined;
}

/** Returns the players in a result. Throws ManagementError `refused` if the result is not a list. */
export function asPlayers(result: unknown): ManagedPlayer[] {
  if (!Array.isArray(result)) throw new ManagementError('refused', 'The management server did not return a list');
  return result.map(asPlayer).filter((player) => player !== undefined);
}
