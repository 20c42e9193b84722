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
