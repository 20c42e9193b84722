import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { playersKey } from './query-keys.ts';
import { api, dataOf, type Instance, type Player, type Schemas } from './transport/client.ts';

/** Players who are online. Asks only while the server runs. */
export function usePlayers({ id, status }: Instance, { enabled = true }: { enabled?: boolean } = {}) {
  return useQuery({
    queryKey: playersKey(id),
    enabled: enabled && status === 'running',
    queryFn: () => dataOf(api.GET('/instances/{id}/players', { params: { path: { id } } })),
  });
}

export type PlayerList = Schemas['Software']['playerLists'][number];
/** An entry of any list. Which fields it has depends on the list. */
export type Listed = Schemas['AllowedPlayer'] & Partial<Schemas['Ban'] & Schemas['Operator']>;

/** A list of players in the server's folder; also available while the server is stopped. */
export function playerListQuery(instanceId: string, list: PlayerList) {
  return queryOptions({
    queryKey: [...playersKey(instanceId), list],
    queryFn: (): Promise<Listed[]> =>
      dataOf(api.GET(`/instances/{id}/players/${list}`, { params: { path: { id: instanceId } } })),
  });
}

export type SeenPlayer = Schemas['SeenPlayer'];

/** Who was on the server, newest first; also available while the server is stopped. */
export function seenPlayersQuery(instanceId: string) {
  return queryOptions({
    queryKey: [...playersKey(instanceId), 'seen'],
    queryFn: () => dataOf(api.GET('/instances/{id}/players/seen', { params: { path: { id: instanceId } } })),
  });
}

/** Returns the names of a server's players as far as pages have loaded them: who is online, and who was seen. */
export function loadedPlayers(queries: QueryClient, instanceId: string): string[] {
  const online = queries.getQueryData<Player[]>(playersKey(instanceId)) ?? [];
  const seen = queries.getQueryData(seenPlayersQuery(instanceId).queryKey) ?? [];
  return [...new Map([...seen, ...online].map(({ name }) => [name.toLowerCase(), name])).values()];
}

export type PlayerAction = 'kick' | 'ban' | 'pardon' | 'op' | 'deop' | 'whitelist' | 'unwhitelist';

/** Adds players to the whitelist. Resolves with whom the server has added, and its reasons against the others. */
export function useAllowPlayers(instanceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (names: string[]) =>
      dataOf(api.POST('/instances/{id}/players/allowlist', { params: { path: { id: instanceId } }, body: { names } })),
    onSettled: () => queries.invalidateQueries({ queryKey: playersKey(instanceId) }),
  });
}

/** Actions that ask for details first. */
export const ACTIONS_WITH_DETAILS: readonly PlayerAction[] = ['kick', 'ban', 'op'];

export interface PlayerRequest {
  name: string;
  action: PlayerAction;
  reason?: string;
  /** Of a ban that ends by itself. */
  durationSeconds?: number;
  /** Of an operator, 1 to 4. */
  level?: number;
}

/** Resolves with the server's own message. */
export function usePlayerAction(instanceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ name, action, reason, ...options }: PlayerRequest) =>
      dataOf(
        api.POST(`/instances/{id}/players/{name}/${action}`, {
          params: { path: { id: instanceId, name } },
          body: { ...(reason && { reason }), ...options },
        }),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: playersKey(instanceId) }),
  });
}
