import { useQuery } from '@tanstack/react-query';
import { api, dataOf, type Instance } from './client.ts';

/** Who is online; nobody is asked while the server does not run. */
export function usePlayers({ id, status }: Instance) {
  return useQuery({
    queryKey: ['players', id],
    enabled: status === 'running',
    queryFn: () => dataOf(api.GET('/instances/{id}/players', { params: { path: { id } } })),
  });
}
