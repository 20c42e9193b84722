import type { Session } from '../../api/session.ts';
import type { Instance } from '../../api/transport/client.ts';

const DEFAULT_PORT = 25_565;

/** Returns the number of players, with the limit once the server has reported it: "3/20". */
export function playerCount({ playersOnline = 0, maxPlayers }: Pick<Instance, 'playersOnline' | 'maxPlayers'>): string {
  return maxPlayers === undefined ? String(playersOnline) : `${playersOnline}/${maxPlayers}`;
}

/** Returns what players type: the host, with the port unless it is Minecraft's default. */
export function serverAddress({ port }: Pick<Instance, 'port'>, host: string): string {
  return port === DEFAULT_PORT ? host : `${host}:${port}`;
}

/**
 * Returns this computer's addresses for players on its networks, the best first: the one under which this page is open is known to work.
 * Empty if it is in no network. `page`: the host of this page.
 */
export function lanHosts({ lanAddresses = [] }: Pick<Session, 'lanAddresses'>, page: string): readonly string[] {
  return lanAddresses.toSorted((a, b) => Number(b === page) - Number(a === page));
}

/** Returns the address to share: the public one if it works, else that in the local network. */
export function addressToShare(
  instance: Pick<Instance, 'port' | 'publicAddress'>,
  session: Pick<Session, 'lanAddresses'>,
): string {
  return instance.publicAddress ?? lanAddress(instance, session);
}

/** Returns the address for players on the same network, or on this computer if it is in none. */
function lanAddress(instance: Pick<Instance, 'port'>, session: Pick<Session, 'lanAddresses'>): string {
  return serverAddress(instance, lanHosts(session, window.location.hostname)[0] ?? 'localhost');
}
