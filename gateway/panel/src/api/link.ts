import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from './transport/client.ts';

const LINK = ['link'];
/** While a request waits, its approval should show soon. Milliseconds. */
const WAITING_MS = 2_000;
const IDLE_MS = 10_000;

/** The link to a hosted proxy, kept up to date. */
export function useLink() {
  return useQuery({
    queryKey: LINK,
    queryFn: () => dataOf(api.GET('/api/link')) as Promise<Schemas['Link']>,
    refetchInterval: ({ state }) => (state.data?.request ? WAITING_MS : IDLE_MS),
  });
}

export function useRequestLink() {
  return useLinkChange((body: Schemas['CreateLink']) => api.POST('/api/link', { body }));
}

export function useCancelLinkRequest() {
  return useLinkChange(() => api.DELETE('/api/link/request'));
}

export function useChangeLink() {
  return useLinkChange((body: Schemas['ChangeLink']) => api.PATCH('/api/link', { body }));
}

export function useUnlink() {
  return useLinkChange(() => dataOf(api.DELETE('/api/link')) as Promise<Schemas['Unlinked']>);
}

/** The new state has arrived when the mutation ends, so that the page does not show the old one for a moment. */
function useLinkChange<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => queries.invalidateQueries({ queryKey: LINK }) });
}
