import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { noticeSignOut } from '../session.ts';
import { Problem } from './problem.ts';

/** For data that no event updates. Milliseconds. */
const STALE_AFTER_MS = 30_000;
const MAX_RETRIES = 3;

/** The daemon or a proxy does not answer yet; 0 means no response at all. */
const RETRIED_STATUSES = [0, 502, 503, 504];

const onError = (error: unknown) => noticeSignOut(queryClient, error);

/** The cache that all pages share. A 401 on any request leads back to the sign-in page. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: STALE_AFTER_MS,
      refetchOnWindowFocus: false,
      retry: (failures, error) => isUnavailable(error) && failures < MAX_RETRIES,
      // A machine without Internet access still reaches its own daemon.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

function isUnavailable(error: unknown): boolean {
  return error instanceof Problem && RETRIED_STATUSES.includes(error.status);
}
