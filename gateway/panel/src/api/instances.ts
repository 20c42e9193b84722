import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { INSTANCES, JOBS } from './query-keys.ts';
import { withStarts } from './started-at.ts';
import { api, dataOf, type Instance, type Job, type Schemas } from './transport/client.ts';

export const instancesQuery = queryOptions({
  queryKey: INSTANCES,
  queryFn: async ({ client }) => {
    const instances = await dataOf(api.GET('/instances'));
    return markNamesakes(
      withStarts(instances, { before: client.getQueryData<Instance[]>(INSTANCES), now: Date.now() }),
    );
  },
});

export function useInstances() {
  return useQuery(instancesQuery);
}

function markNamesakes(instances: Instance[]): Instance[] {
  const isNamesake = ({ id, name }: Instance) => instances.some((other) => other.id !== id && other.name === name);
  return instances.map((instance) => (isNamesake(instance) ? { ...instance, isNamesake: true } : instance));
}

/** One server from the list. `undefined` while the list loads, and for an unknown id. */
export function useInstance(id: string): Instance | undefined {
  return useInstances().data?.find((instance) => instance.id === id);
}

/** Reads the present state of one server, which the list may not have yet. */
export function readInstance(id: string): Promise<Schemas['Instance']> {
  return dataOf(api.GET('/instances/{id}', { params: { path: { id } } }));
}

/** Recorded crashes, newest first. Refetches after each new crash. */
export function crashesQuery({ id, crash }: Instance) {
  return queryOptions({
    queryKey: ['crashes', id, crash?.at],
    queryFn: async () => (await dataOf(api.GET('/instances/{id}/crashes', { params: { path: { id } } }))).crashes,
  });
}

export function configurationQuery(id: string) {
  return queryOptions({
    queryKey: ['configuration', id],
    queryFn: () => dataOf(api.GET('/instances/{id}/configuration', { params: { path: { id } } })),
  });
}

/** What the server's kind declares, with the server's values. */
export function variablesQuery(id: string) {
  return queryOptions({
    queryKey: ['variables', id],
    queryFn: () => dataOf(api.GET('/instances/{id}/variables', { params: { path: { id } } })),
  });
}

export function useChangeVariables(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (variables: Record<string, string | null>) =>
      dataOf(api.PATCH('/instances/{id}/variables', { params: { path: { id } }, body: { variables } })),
    onSuccess: (changed) => queries.setQueryData(variablesQuery(id).queryKey, changed),
  });
}

export type LifecycleAction = 'start' | 'stop' | 'restart' | 'kill' | 'restart-when-empty' | 'cancel-restart';

export function useLifecycle() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, action }: { id: string; action: LifecycleAction }) =>
      dataOf(api.POST(`/instances/{id}/${action}`, { params: { path: { id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: INSTANCES }),
  });
}

export function useCreateInstance() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['CreateInstance']) => dataOf(api.POST('/instances', { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: INSTANCES }),
  });
}

export function useUpdateInstance(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['UpdateInstance']) =>
      dataOf(api.PATCH('/instances/{id}', { params: { path: { id } }, body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: INSTANCES }),
  });
}

/** Removes a server from Gamekeeper; its files and backups are kept or deleted. */
export function useDeleteInstance(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (query: Record<'files' | 'backups', 'keep' | 'delete'>) =>
      api.DELETE('/instances/{id}', { params: { path: { id }, query } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: INSTANCES }),
  });
}

/** A server's folder on the host, a ZIP of one, or the id of an uploaded ZIP. */
export type ImportSource = { directory: string } | { archive: string } | { upload: string };

export function useRecognise() {
  return useMutation({
    mutationFn: async (source: ImportSource) =>
      // The schema's other response, 201, is for an actual import.
      (await dataOf(api.POST('/instances/import', { body: { ...source, dryRun: true } }))) as Schemas['Recognition'],
  });
}

export type ImportRequest = Omit<Schemas['ImportInstance'], 'dryRun' | 'directory' | 'archive' | 'upload'>;

/** Resolves with the new server for a folder, and with the job that unpacks it for a ZIP. */
export function useImportInstance() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ source, request }: { source: ImportSource; request: ImportRequest }) =>
      // The schema's other response, 200, is for a dry run.
      (await dataOf(
        api.POST('/instances/import', {
          body: { ...request, ...source, dryRun: false },
          headers: 'directory' in source ? {} : { Prefer: 'respond-async' },
        }),
      )) as Schemas['ImportedInstance'] | Job,
    onSuccess: () => Promise.all([INSTANCES, JOBS].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}

/** Resolves when the copy is complete. */
export function useCloneInstance(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (name: string) =>
      // 202 needs "Prefer: respond-async".
      (await dataOf(api.POST('/instances/{id}/clone', { params: { path: { id } }, body: { name } }))) as Instance,
    onSuccess: () => queries.invalidateQueries({ queryKey: INSTANCES }),
  });
}

export function exportUrl(id: string): string {
  return `/instances/${encodeURIComponent(id)}/export`;
}
