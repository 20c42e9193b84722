import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from './transport/client.ts';

const TOKENS = ['tokens'];

/** Tokens of all users, without their secrets. */
export function tokensQuery() {
  return queryOptions({ queryKey: TOKENS, queryFn: () => dataOf(api.GET('/api/tokens')) });
}

export function useCreateToken() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['CreateToken']) => dataOf(api.POST('/api/tokens', { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: TOKENS }),
  });
}

export function useRevokeToken() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.DELETE('/api/tokens/{id}', { params: { path: { id } } }),
    onSettled: () => queries.invalidateQueries({ queryKey: TOKENS }),
  });
}
