import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from './transport/client.ts';
import { Problem } from './transport/problem.ts';

const SESSION = ['session'];

/** Who is signed in; all of it once the daemon was asked. `ended`: was, until the session ran out. */
export type Session = Schemas['LoginResponse'] & Partial<Schemas['Session']> & { ended?: true };

/** Who is signed in; `null`: nobody. */
export function useSession() {
  return useQuery<Session | null>({
    queryKey: SESSION,
    staleTime: Number.POSITIVE_INFINITY,
    // Somebody may have signed in meanwhile, in another tab.
    refetchOnWindowFocus: ({ state }) => (state.data === null || state.data?.ended ? 'always' : false),
    queryFn: async ({ client }) => {
      try {
        return onlyTheirs(client, await dataOf(api.GET('/api/session')));
      } catch (error) {
        if (!isSignedOut(error)) throw error;
        return ended(client.getQueryData<Session | null>(SESSION));
      }
    },
  });
}

/** Takes note where an error says that nobody is signed in any more. */
export function noticeSignOut(queries: QueryClient, error: unknown): void {
  if (isSignedOut(error)) queries.setQueryData<Session | null>(SESSION, ended);
}

/** Asks who is signed in now, and with what. */
export function checkSession(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: SESSION });
}

/** What somebody may do with one server: a grant may name another role there than the one on the host. */
export function roleOn({ role, instances = [] }: Session, instanceId: string): Session['role'] {
  if (role === 'admin') return role;
  const grant = instances.find((each) => (typeof each === 'string' ? each : each.id) === instanceId);
  return typeof grant === 'object' ? grant.role : role;
}

export function useSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['LoginRequest']) => dataOf(api.POST('/api/login', { body })),
    onSuccess: (session) => {
      queries.setQueryData(SESSION, onlyTheirs(queries, session));
      checkSession(queries);
    },
  });
}

export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.POST('/api/logout'),
    onSuccess: () => {
      forget(queries);
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

/** What the panel knows is what one person may know: for another it begins anew. */
function onlyTheirs(queries: QueryClient, session: Session): Session {
  const before = queries.getQueryData<Session | null>(SESSION);
  if (before && before.username !== session.username) forget(queries);
  return session;
}

/** All but the session itself, which somebody looks at: what is removed tells nobody that it changes. */
function forget(queries: QueryClient): void {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
}
