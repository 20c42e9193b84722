import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from './transport/client.ts';

/** Version, platform and health of the daemon. */
export function useHealth() {
  return useQuery({ queryKey: ['health'], queryFn: () => dataOf(api.GET('/health')) });
}
