import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Instance, type Schemas } from './client.ts';

export const INSTANCES = ['instances'];

/** All servers; kept up to date by events. */
export function useInstances() {
  return useQuery({ queryKey: INSTANCES, queryFn: () => dataOf(api.GET('/instances')) });
}

/** One server, from the list. `undefined` while the list is not there, and for a server that does not exist. */
export function useInstance(id: string): Instance | undefined {
  return useInstances().data?.find((instance) => instance.id === id);
}

export type LifecycleAction = 'start' | 'stop' | 'restart' | 'kill';

export function useLifecycle(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (action: LifecycleAction) =>
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

/** What a folder on the machine would become, without making anything of it. */
export function useRecognise() {
  return useMutation({
    mutationFn: async (directory: string) =>
      // 201 is only for what is no dry run.
      (await dataOf(api.POST('/instances/import', { body: { directory, dryRun: true } }))) as Schemas['Recognition'],
  });
}

export function useImportInstance() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: Omit<Schemas['ImportInstance'], 'dryRun'>) =>
      (await dataOf(
        api.POST('/instances/import', { body: { ...body, dryRun: false } }),
      )) as Schemas['ImportedInstance'],
    onSuccess: () => queries.invalidateQueries({ queryKey: INSTANCES }),
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
