import { queryOptions } from '@tanstack/react-query';
import { playersKey } from './query-keys.ts';
import { api, dataOf } from './transport/client.ts';

/** Between two requests while skins are being fetched, and otherwise. Milliseconds. */
const PENDING_MS = 3_000;
const IDLE_MS = 60_000;

/** The skins that Gamekeeper has of a server's players. The others keep their made-up faces. */
export function playerSkinsQuery(instanceId: string) {
  return queryOptions({
    // Below the key of the server's players, so that a player who joins is looked for.
    queryKey: [...playersKey(instanceId), 'skins'],
    refetchInterval: ({ state }) => (state.data?.pending ? PENDING_MS : IDLE_MS),
    queryFn: () => dataOf(api.GET('/instances/{id}/skins', { params: { path: { id: instanceId } } })),
  });
}

/** Returns the address of a skin's picture, at this origin. */
export function skinAddress(instanceId: string, texture: string): string {
  return `/instances/${encodeURIComponent(instanceId)}/skins/${texture}`;
}
