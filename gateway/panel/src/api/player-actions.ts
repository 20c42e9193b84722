import { useMutation, useQueryClient } from '@tanstack/react-query';
import { playersKey } from './players.ts';
import { api, dataOf } from './transport/client.ts';

export type PlayerAction = 'kick' | 'ban' | 'pardon' | 'op' | 'deop' | 'whitelist' | 'unwhitelist';

/** These take a reason, and are asked about first. */
export const WITH_REASON: readonly PlayerAction[] = ['kick', 'ban'];

export interface PlayerRequest {
  name: string;
  action: PlayerAction;
  reason?: string;
}

/** Answers with the server's own words. */
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
