import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, dataOf, type Instance, type Schemas } from './transport/client.ts';

export const playersKey = (instanceId: string) => ['players', instanceId];

/** Who is online; nobody is asked while the server does not run. */
export function usePlayers({ id, status }: Instance) {
  return useQuery({
    queryKey: playersKey(id),
    enabled: status === 'running',
    queryFn: () => dataOf(api.GET('/instances/{id}/players', { params: { path: { id } } })),
  });
}

export type PlayerList = Schemas['Software']['playerLists'][number];
type Listed = Schemas['AllowedPlayer'] & Partial<Schemas['Ban']>;

/** A list that the server keeps, from its file, also while it is stopped. */
export function playerListQuery(instanceId: string, list: PlayerList) {
  return queryOptions({
    queryKey: [...playersKey(instanceId), list],
    queryFn: (): Promise<Listed[]> =>
      dataOf(api.GET(`/instances/{id}/players/${list}`, { params: { path: { id: instanceId } } })),
  });
}
