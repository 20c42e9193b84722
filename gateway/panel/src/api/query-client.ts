import { QueryCache, QueryClient } from '@tanstack/react-query';
import { Problem } from './problem.ts';

/** Answers stay good for this long where no event says otherwise. Milliseconds. */
const STALE_AFTER_MS = 30_000;
const MAX_TRIES = 3;

/** What the panel knows, shared by all its pages. An answer "not signed in" leads back to the sign-in page, whoever got it. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSignOut }),
  defaultOptions: {
    queries: {
      staleTime: STALE_AFTER_MS,
      refetchOnWindowFocus: false,
      // What the daemon refuses it refuses again; what does not answer may come back.
      retry: (failures, error) => isAway(error) && failures < MAX_TRIES,
    },
    mutations: { onError: noticeSignOut },
  },
});

function isAway(error: unknown): boolean {
  return error instanceof Problem && (error.status === 0 || error.status === 503);
}

function noticeSignOut(error: unknown): void {
  if (error instanceof Problem && error.status === 401 && error.code === 'unauthenticated')
    queryClient.setQueryData(['session'], null);
}
