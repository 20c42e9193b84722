import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from './transport/client.ts';

export type HistoryRange = Schemas['History']['range'];

export function historyQuery(instanceId: string, range: HistoryRange) {
  return queryOptions({
    queryKey: ['history', instanceId, range],
    queryFn: () =>
      dataOf(api.GET('/instances/{id}/history', { params: { path: { id: instanceId }, query: { range } } })),
  });
}
