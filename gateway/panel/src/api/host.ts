import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, dataOf } from './transport/client.ts';

const REFRESH_MS = 5_000;

export const hostQuery = queryOptions({ queryKey: ['host'], queryFn: () => dataOf(api.GET('/api/host')) });

/** How busy this computer is, while the page is in sight. For administrators who are signed in here. */
export function useHost({ enabled }: { enabled: boolean }) {
  return useQuery({ ...hostQuery, enabled, refetchInterval: REFRESH_MS });
}
