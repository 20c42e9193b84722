import { ManagementError } from './management-error.ts';

/** A player as the management protocol names one. */
export interface ManagedPlayer {
  name: string;
  uuid: string | undefined;
}

/** The player of a notification or of an entry of a list, which is a player itself or holds one; `undefined` for anything else. */
export function asPlayer(value: unknown): ManagedPlayer | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('player' in value) return asPlayer(value.player);
  const name = 'name' in value ? value.name : undefined;
  const id = 'id' in value ? value.id : undefined;
  return typeof name === 'string' ? { name, uuid: typeof id === 'string' ? id : undefined } : undefined;
}

/**
 * The players of a result.
 *
 * @throws {ManagementError} `refused`, if it is no list
 */
export function asPlayers(result: unknown): ManagedPlayer[] {
  if (!Array.isArray(result)) throw new ManagementError('refused', 'The management server answered with no list');
  return result.map(asPlayer).filter((player) => player !== undefined);
}
