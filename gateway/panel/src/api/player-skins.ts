import { queryOptions, useQuery } from '@tanstack/react-query';
import { playersKey } from './query-keys.ts';
import { api, dataOf, type Instance, type Schemas } from './transport/client.ts';

/** Between two requests while skins are being fetched. Milliseconds. */
const PENDING_MS = 3_000;
/** Between two requests while the server runs: others may join. Milliseconds. */
const RUNNING_MS = 60_000;

/** The skins that Gamekeeper has of a server's players. The others keep their made-up faces. */
export function playerSkinsQuery({ id, status }: Pick<Instance, 'id' | 'status'>) {
  return queryOptions({
    // Below the key of the server's players, so that a player who joins is looked for.
    queryKey: [...playersKey(id), 'skins'],
    refetchInterval: ({ state }) => refetchAfter(state.data, status),
    queryFn: () => dataOf(api.GET('/instances/{id}/skins', { params: { path: { id } } })),
  });
}

/**
 * Returns when to ask again after an answer, in milliseconds; `false`: not by itself. Each request keeps the supervisor of a stopped server
 * from ending.
 */
export function refetchAfter(
  answer: Pick<Schemas['PlayerSkins'], 'enabled' | 'pending'> | undefined,
  status: Instance['status'],
): number | false {
  if (answer?.pending) return PENDING_MS;
  return answer?.enabled && status === 'running' ? RUNNING_MS : false;
}

/**
 * Returns a function that returns the address of a player's skin at this origin, if Gamekeeper has one. Servers compare names without case.
 */
export function usePlayerSkins(
  instance: Pick<Instance, 'id' | 'status'>,
  { enabled = true }: { enabled?: boolean } = {},
): (player: string) => string | undefined {
  const { data } = useQuery({ ...playerSkinsQuery(instance), enabled });
  const textures = new Map(data?.players.map(({ name, texture }) => [name.toLowerCase(), texture]));
  return (player) => {
    const texture = textures.get(player.toLowerCase());
    return texture === undefined ? undefined : `/instances/${encodeURIComponent(instance.id)}/skins/${texture}`;
  };
}
