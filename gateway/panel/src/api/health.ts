import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from './transport/client.ts';

/** Which Gamekeeper this is, and how it is. */
export function useHealth() {
  return useQuery({ queryKey: ['health'], queryFn: () => dataOf(api.GET('/health')) });
}
