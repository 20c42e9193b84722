import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from './transport/client.ts';

export function useHealth() {
  return useQuery({ queryKey: ['health'], queryFn: () => dataOf(api.GET('/health')) });
}
