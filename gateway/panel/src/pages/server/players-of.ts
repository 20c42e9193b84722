import type { Instance } from '../../api/transport/client.ts';

/** How many play, of how many where the server has said that already. */
export function playersOf({ playersOnline = 0, maxPlayers }: Pick<Instance, 'playersOnline' | 'maxPlayers'>): string {
  return maxPlayers === undefined ? String(playersOnline) : `${playersOnline}/${maxPlayers}`;
}
