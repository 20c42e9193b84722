import type { Instance } from '../../api/transport/client.ts';

const DEFAULT_PORT = 25_565;

/** Returns the number of players, with the limit once the server has reported it: "3/20". */
export function playerCount({ playersOnline = 0, maxPlayers }: Pick<Instance, 'playersOnline' | 'maxPlayers'>): string {
  return maxPlayers === undefined ? String(playersOnline) : `${playersOnline}/${maxPlayers}`;
}

/** Returns the address for players on the same network: this page's host, with the port unless it is Minecraft's default. */
export function serverAddress({ port }: Pick<Instance, 'port'>, host = window.location.hostname): string {
  return port === DEFAULT_PORT ? host : `${host}:${port}`;
}
