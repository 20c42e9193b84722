import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { INSTANCES, JOBS } from './query-keys.ts';
import { api, dataOf, type Job, type Schemas } from './transport/client.ts';

export type Modpack = Schemas['ModpackSearch']['hits'][number];

const KEY = ['modpacks'];
/** Modrinth changes rarely, and answers only so many questions a minute. */
const FRESH_MS = 60_000;

/** Modpacks that servers can use. Shows the previous results while it loads new ones. */
export function modpackSearchQuery(query: { query: string; limit: number }) {
  return queryOptions({
    queryKey: [...KEY, 'search', query],
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
    queryFn: () => dataOf(api.GET('/modpacks', { params: { query } })),
  });
}

export function modpackVersionsQuery(project: string) {
  return queryOptions({
    queryKey: [...KEY, project, 'versions'],
    staleTime: FRESH_MS,
    queryFn: () => dataOf(api.GET('/modpacks/{project}/versions', { params: { path: { project } } })),
  });
}

/** Resolves with the job that downloads the modpack. */
export function useCreateFromModpack() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: Schemas['CreateFromModpack']) =>
      // The schema's other response, 201, is without this header.
      (await dataOf(api.POST('/instances/modpack', { body, headers: { Prefer: 'respond-async' } }))) as Job,
    onSuccess: () => Promise.all([INSTANCES, JOBS].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}
