import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from './transport/client.ts';

export type InstalledMod = Schemas['InstalledMod'];
export type ModChanges = Schemas['ModChanges'];

const key = (instanceId: string) => ['mods', instanceId];

/** What is in the folder. */
export function modsQuery(instanceId: string) {
  return queryOptions({
    queryKey: key(instanceId),
    queryFn: () => dataOf(api.GET('/instances/{id}/mods', { params: { path: { id: instanceId } } })),
  });
}

/** What Modrinth has for this server; the last answer stays until there is a new one. */
export function modSearchQuery(instanceId: string, query: { query: string; limit: number }) {
  return queryOptions({
    queryKey: [...key(instanceId), 'search', query],
    placeholderData: keepPreviousData,
    queryFn: () => dataOf(api.GET('/instances/{id}/mods/search', { params: { path: { id: instanceId }, query } })),
  });
}

/** Something to be changed. */
export type ModWish =
  | { type: 'install'; project: string; title: string }
  | { type: 'update'; project?: string; title: string }
  | { type: 'remove'; file: string; title: string };

/** What a wish would change, without changing it; nothing is known beforehand of a removal. */
export function modPlanQuery(instanceId: string, wish: ModWish) {
  return queryOptions({
    queryKey: [...key(instanceId), 'plan', wish],
    enabled: wish.type !== 'remove',
    gcTime: 0,
    retry: false,
    queryFn: () => change(instanceId, { wish, dryRun: true }),
  });
}

export function useModChange(instanceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ wish, force }: { wish: ModWish; force?: boolean }) =>
      change(instanceId, { wish, force: force === true }),
    onSettled: () => queries.invalidateQueries({ queryKey: key(instanceId) }),
  });
}

interface ChangeOptions {
  wish: ModWish;
  dryRun?: boolean;
  force?: boolean;
}

/** Waits until it is done: what it changed is the answer. Its progress is shown as that of a job meanwhile. */
async function change(id: string, { wish, dryRun = false, force = false }: ChangeOptions): Promise<ModChanges> {
  switch (wish.type) {
    case 'install':
      return changesOf(
        api.POST('/instances/{id}/mods', { params: { path: { id } }, body: { project: wish.project, dryRun } }),
      );
    case 'update':
      return changesOf(
        api.POST('/instances/{id}/mods/update', {
          params: { path: { id } },
          body: { dryRun, ...(wish.project !== undefined && { project: wish.project }) },
        }),
      );
    case 'remove':
      return changesOf(
        api.DELETE('/instances/{id}/mods/{mod}', {
          params: { path: { id, mod: wish.file }, query: { force: force ? 'true' : 'false' } },
        }),
      );
  }
}

/** 202 is only for who asks for it. */
async function changesOf(answer: Promise<{ data?: ModChanges | Schemas['Job'] }>): Promise<ModChanges> {
  return (await dataOf(answer)) as ModChanges;
}
