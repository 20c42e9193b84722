import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { JOBS } from './jobs.ts';
import { api, dataOf, type Instance, type Job, type Schemas } from './transport/client.ts';

export const INSTANCES = ['instances'];

/** All servers; kept up to date by events. */
export function useInstances() {
  return useQuery({
    queryKey: INSTANCES,
    queryFn: async () => (await dataOf(api.GET('/instances'))).map(withStart),
  });
}

/** Events do not tell for how long a server has been up, and change what was answered. */
function withStart(instance: Schemas['Instance']): Instance {
  const { uptimeSeconds } = instance;
  return uptimeSeconds === undefined ? instance : { ...instance, startedAt: Date.now() - uptimeSeconds * 1_000 };
}

/** One server, from the list. `undefined` while the list is not there, and for a server that does not exist. */
export function useInstance(id: string): Instance | undefined {
  return useInstances().data?.find((instance) => instance.id === id);
}

/** Every crash that is remembered, newest first. One more of the instance asks anew. */
export function crashesQuery({ id, crash }: Instance) {
  return queryOptions({
    queryKey: ['crashes', id, crash?.at],
    queryFn: async () => (await dataOf(api.GET('/instances/{id}/crashes', { params: { path: { id } } }))).crashes,
  });
}

/** How Gamekeeper runs a server. */
export function configurationQuery(id: string) {
  return queryOptions({
    queryKey: ['configuration', id],
    queryFn: () => dataOf(api.GET('/instances/{id}/configuration', { params: { path: { id } } })),
  });
}

export type LifecycleAction = 'start' | 'stop' | 'restart' | 'kill';

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

/** Takes it off the list; what becomes of its files and backups is said. */
export function useDeleteInstance(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (query: Record<'files' | 'backups', 'keep' | 'delete'>) =>
      api.DELETE('/instances/{id}', { params: { path: { id }, query } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: INSTANCES }),
  });
}

/** Where a server lies on the machine: a folder, or a ZIP of one. */
type Place = { directory: string } | { archive: string };

export function placeOf(path: string): Place {
  return /\.zip$/i.test(path) ? { archive: path } : { directory: path };
}

/** What a folder or a ZIP on the machine would become, without making anything of it. */
export function useRecognise() {
  return useMutation({
    mutationFn: async (place: Place) =>
      // 201 is only for what is no dry run.
      (await dataOf(api.POST('/instances/import', { body: { ...place, dryRun: true } }))) as Schemas['Recognition'],
  });
}

export type ImportRequest = Omit<Schemas['ImportInstance'], 'dryRun' | 'directory' | 'archive'>;

/** A folder is an instance at once; a ZIP is unpacked by a job, whose progress comes as events. */
export function useImportInstance() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ place, request }: { place: Place; request: ImportRequest }) =>
      // 200 is only for a dry run.
      (await dataOf(
        api.POST('/instances/import', {
          body: { ...request, ...place, dryRun: false },
          headers: 'archive' in place ? { Prefer: 'respond-async' } : {},
        }),
      )) as Schemas['ImportedInstance'] | Job,
    onSuccess: () => Promise.all([INSTANCES, JOBS].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}

/** Answers when the copy is there. */
export function useCloneInstance(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (name: string) =>
      // 202 is only for who asks for it.
      (await dataOf(api.POST('/instances/{id}/clone', { params: { path: { id } }, body: { name } }))) as Instance,
    onSuccess: () => queries.invalidateQueries({ queryKey: INSTANCES }),
  });
}

/** Where a browser downloads everything that another Gamekeeper needs to go on with this server. */
export function exportUrl(id: string): string {
  return `/instances/${encodeURIComponent(id)}/export`;
}
