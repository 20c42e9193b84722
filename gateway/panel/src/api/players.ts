import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { playersKey } from './query-keys.ts';
import { api, dataOf, type Instance, type Schemas } from './transport/client.ts';

/** Players who are online. Asks only while the server runs. */
export function usePlayers({ id, status }: Instance) {
  return useQuery({
    queryKey: playersKey(id),
    enabled: status === 'running',
    queryFn: () => dataOf(api.GET('/instances/{id}/players', { params: { path: { id } } })),
  });
}

export type PlayerList = Schemas['Software']['playerLists'][number];
type Listed = Schemas['AllowedPlayer'] & Partial<Schemas['Ban']>;

/** A list of players in the server's folder; also available while the server is stopped. */
export function playerListQuery(instanceId: string, list: PlayerList) {
  return queryOptions({
    queryKey: [...playersKey(instanceId), list],
    queryFn: (): Promise<Listed[]> =>
      dataOf(api.GET(`/instances/{id}/players/${list}`, { params: { path: { id: instanceId } } })),
  });
}

export type PlayerAction = 'kick' | 'ban' | 'pardon' | 'op' | 'deop' | 'whitelist' | 'unwhitelist';

/** Actions that take a reason and need a confirmation. */
export const ACTIONS_WITH_REASON: readonly PlayerAction[] = ['kick', 'ban'];

export interface PlayerRequest {
  name: string;
  action: PlayerAction;
  reason?: string;
}

/** Resolves with the server's own message. */
export function usePlayerAction(instanceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ name, action, reason }: PlayerRequest) =>
      dataOf(
        api.POST(`/instances/{id}/players/{name}/${action}`, {
          params: { path: { id: instanceId, name } },
          body: reason === undefined || reason === '' ? {} : { reason },
        }),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: playersKey(instanceId) }),
  });
}
