import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from './transport/client.ts';

const REFRESH_MS = 5_000;

/** How busy this computer is, while the page is in sight. For administrators who are signed in here. */
export function useHost({ enabled }: { enabled: boolean }) {
  return useQuery({
    queryKey: ['host'],
    enabled,
    refetchInterval: REFRESH_MS,
    queryFn: () => dataOf(api.GET('/api/host')),
  });
}
