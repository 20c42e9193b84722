import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from './transport/client.ts';

/** The ports that servers are set to use. They may change with any setting or file of a server, so they are read for each form. */
export const portsQuery = queryOptions({
  queryKey: ['ports'],
  queryFn: () => dataOf(api.GET('/ports')),
  staleTime: 0,
});
