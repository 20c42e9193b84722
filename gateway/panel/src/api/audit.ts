import { useInfiniteQuery } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from './transport/client.ts';

const PAGE_LENGTH = 50;

/** Audit log, newest first, page by page. An empty `who` and `instance: null` do not filter. */
export function useAudit({ who, instance }: { who: string; instance: string | null }) {
  return useInfiniteQuery({
    queryKey: ['audit', who, instance],
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }: Schemas['AuditPage']) => next ?? undefined,
    queryFn: ({ pageParam }) =>
      dataOf(
        api.GET('/api/audit', {
          params: {
            query: {
              limit: PAGE_LENGTH,
              ...(pageParam !== undefined && { before: pageParam }),
              ...(who !== '' && { who }),
              ...(instance !== null && { instance }),
            },
          },
        }),
      ),
  });
}
