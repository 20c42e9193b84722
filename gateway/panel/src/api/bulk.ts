import { useMutation, useQueryClient } from '@tanstack/react-query';
import { INSTANCES, JOBS } from './query-keys.ts';
import { api } from './transport/client.ts';

export type BulkAction = 'start' | 'stop' | 'restart' | 'backup';

/** What was done, and why it failed for the others. */
export interface BulkOutcome {
  done: number;
  errors: unknown[];
}

/** Does the same with several servers, one after the other. Resolves when each has accepted or refused it. */
export function useBulkAction() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ ids, action }: { ids: readonly string[]; action: BulkAction }): Promise<BulkOutcome> => {
      const outcome: BulkOutcome = { done: 0, errors: [] };
      for (const id of ids)
        try {
          await api.POST(`/instances/{id}/${action}`, {
            params: { path: { id } },
            headers: action === 'backup' ? { Prefer: 'respond-async' } : {},
          });
          outcome.done++;
        } catch (error) {
          outcome.errors.push(error);
        }
      return outcome;
    },
    onSettled: () => Promise.all([INSTANCES, JOBS].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}
