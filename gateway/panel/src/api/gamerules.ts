import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from './transport/client.ts';

export type Gamerule = Schemas['Gamerule'];

/** Asks for the game rules, whatever the cache has. */
export function readGamerules(instanceId: string, signal: AbortSignal | null = null): Promise<Gamerule[]> {
  return dataOf(api.GET('/instances/{id}/gamerules', { params: { path: { id: instanceId } }, signal }));
}

/** The game rules that the running game reports. Fails while the server does not run. */
export function gamerulesQuery(instanceId: string) {
  return queryOptions({
    queryKey: ['gamerules', instanceId],
    // A server that does not answer has been asked for up to a minute.
    retry: false,
    queryFn: ({ signal }) => readGamerules(instanceId, signal),
  });
}

/** Sets one game rule. Resolves with what the game then reports. After an error the rule may be set. */
export function useSetGamerule(instanceId: string) {
  const queries = useQueryClient();
  const { queryKey } = gamerulesQuery(instanceId);
  return useMutation({
    mutationFn: ({ name, value }: Pick<Gamerule, 'name' | 'value'>) =>
      dataOf(
        api.PATCH('/instances/{id}/gamerules', {
          params: { path: { id: instanceId } },
          body: { rules: { [name]: value } },
        }),
      ),
    // An answer on its way may have the value from before.
    onMutate: () => queries.cancelQueries({ queryKey }),
    onSuccess: (changed) =>
      queries.setQueryData(queryKey, (rules) =>
        rules?.map((rule) => changed.find(({ name }) => name === rule.name) ?? rule),
      ),
    onError: () => void queries.invalidateQueries({ queryKey }),
  });
}
