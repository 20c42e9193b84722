import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { noticeSignOut } from '../session.ts';
import { Problem } from './problem.ts';

/** Answers stay good for this long where no event says otherwise. Milliseconds. */
const STALE_AFTER_MS = 30_000;
const MAX_TRIES = 3;

/** The daemon, or what stands between, has no answer yet; 0: there was none at all. */
const AWAY = [0, 502, 503, 504];

const onError = (error: unknown) => noticeSignOut(queryClient, error);

/** What the panel knows, shared by all its pages. An answer "not signed in" leads back to the sign-in page, whoever got it. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: STALE_AFTER_MS,
      refetchOnWindowFocus: false,
      // What the daemon refuses it refuses again; what does not answer may come back.
      retry: (failures, error) => isAway(error) && failures < MAX_TRIES,
      // A machine without the Internet still reaches its own daemon.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

function isAway(error: unknown): boolean {
  return error instanceof Problem && AWAY.includes(error.status);
}
