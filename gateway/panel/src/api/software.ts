import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from './client.ts';

/** The kinds of servers that can be made. They do not change while Gamekeeper runs. */
export function useSoftware() {
  return useQuery({
    queryKey: ['software'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => dataOf(api.GET('/software')),
  });
}

/** What the vendor of a kind lists, newest first. */
export function useSoftwareVersions(kind: string, { enabled }: { enabled: boolean }) {
  return useQuery({
    queryKey: ['software', kind, 'versions'],
    enabled,
    queryFn: () => dataOf(api.GET('/software/{kind}/versions', { params: { path: { kind } } })),
  });
}
