import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from './transport/client.ts';
import { Problem } from './transport/problem.ts';

const SESSION = ['session'];

/** The signed-in user. After signing in, the parts of `Session` are missing until they are fetched. `ended`: the session has ended. */
export type Session = Schemas['LoginResponse'] & Partial<Schemas['Session']> & { ended?: true };

export const sessionQuery = queryOptions<Session | null>({
  queryKey: SESSION,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ client }) => {
    try {
      return dropOthersData(client, await dataOf(api.GET('/api/session')));
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      return ended(client.getQueryData<Session | null>(SESSION));
    }
  },
});

/** The current session; `null` if nobody is signed in. */
export function useSession() {
  return useQuery({
    ...sessionQuery,
    // The user may have signed in in another tab.
    refetchOnWindowFocus: ({ state }) => (state.data === null || state.data?.ended ? 'always' : false),
  });
}

/** Marks the session as ended if the error is a 401. */
export function noticeSignOut(queries: QueryClient, error: unknown): void {
  if (isSignedOut(error)) queries.setQueryData<Session | null>(SESSION, ended);
}

export function checkSession(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: SESSION });
}

export function useSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['LoginRequest']) => dataOf(api.POST('/api/login', { body })),
    onSuccess: (session) => {
      queries.setQueryData(SESSION, dropOthersData(queries, session));
      checkSession(queries);
    },
  });
}

export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.POST('/api/logout'),
    onSuccess: () => {
      const proxy = queries.getQueryData<Session | null>(SESSION)?.proxy;
      if (proxy !== undefined) return window.location.assign(proxy);
      dropData(queries);
      queries.setQueryData(SESSION, null);
    },
  });
}

export function useChangePassword() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['ChangePassword']) => dataOf(api.PUT('/api/password', { body })),
    onSuccess: () => checkSession(queries),
  });
}

function isSignedOut(error: unknown): boolean {
  return error instanceof Problem && error.status === 401 && error.code === 'unauthenticated';
}

function ended(session: Session | null | undefined): Session | null {
  return session ? { ...session, ended: true } : null;
}

/** Drops the cached data of the previous user when another user has signed in. */
function dropOthersData(queries: QueryClient, session: Session): Session {
  const before = queries.getQueryData<Session | null>(SESSION);
  if (before && before.username !== session.username) dropData(queries);
  return session;
}

/** Keeps the session itself: removing a query does not notify the components that use it. */
function dropData(queries: QueryClient): void {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
}
