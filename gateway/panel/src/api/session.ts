import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from './client.ts';
import { Problem } from './problem.ts';

const SESSION = ['session'];

/** Who is signed in; `null`: nobody. */
export function useSession() {
  return useQuery({
    queryKey: SESSION,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      try {
        return await dataOf(api.GET('/api/session'));
      } catch (error) {
        if (error instanceof Problem && error.status === 401) return null;
        throw error;
      }
    },
  });
}

export function useSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['LoginRequest']) => dataOf(api.POST('/api/login', { body })),
    onSuccess: (session) => queries.setQueryData(SESSION, session),
  });
}

export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.POST('/api/logout'),
    onSuccess: () => {
      queries.clear();
      queries.setQueryData(SESSION, null);
    },
  });
}

export function useChangePassword() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['ChangePassword']) => dataOf(api.PUT('/api/password', { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: SESSION }),
  });
}
