import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, dataOf } from './transport/client.ts';

export const healthQuery = queryOptions({ queryKey: ['health'], queryFn: () => dataOf(api.GET('/health')) });

export function useHealth() {
  return useQuery(healthQuery);
}
