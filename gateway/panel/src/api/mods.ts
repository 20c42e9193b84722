import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { INSTANCES } from './query-keys.ts';
import { api, dataOf, type Schemas } from './transport/client.ts';

export type InstalledMod = Schemas['InstalledMod'];
export type ModChanges = Schemas['ModChanges'];

const key = (instanceId: string) => ['mods', instanceId];

export function modsQuery(instanceId: string) {
  return queryOptions({
    queryKey: key(instanceId),
    queryFn: () => dataOf(api.GET('/instances/{id}/mods', { params: { path: { id: instanceId } } })),
  });
}

/** Projects on Modrinth that fit this server. Shows the previous results while it loads new ones. */
export function modSearchQuery(instanceId: string, query: { query: string; limit: number }) {
  return queryOptions({
    queryKey: [...key(instanceId), 'search', query],
    placeholderData: keepPreviousData,
    queryFn: () => dataOf(api.GET('/instances/{id}/mods/search', { params: { path: { id: instanceId }, query } })),
  });
}

export type ModChange =
  | { type: 'install'; project: string; title: string }
  | { type: 'update'; project?: string; title: string }
  | { type: 'remove'; file: string; title: string };

/** What a change would do, dependencies included. The API has no dry run of a removal. */
export function modPlanQuery(instanceId: string, change: ModChange) {
  return queryOptions({
    queryKey: [...key(instanceId), 'plan', change],
    enabled: change.type !== 'remove',
    gcTime: 0,
    retry: false,
    queryFn: () => applyChange(instanceId, { change, dryRun: true }),
  });
}

export function useModChange(instanceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ change, force }: { change: ModChange; force?: boolean }) =>
      applyChange(instanceId, { change, force: force === true }),
    onSettled() {
      void queries.invalidateQueries({ queryKey: key(instanceId) });
      // A first mod also sets the version of a server that had none.
      void queries.invalidateQueries({ queryKey: INSTANCES });
    },
  });
}

interface ChangeOptions {
  change: ModChange;
  dryRun?: boolean;
  force?: boolean;
}

/** Resolves with what changed when the job is done; the job's progress comes as events. */
async function applyChange(id: string, { change, dryRun = false, force = false }: ChangeOptions): Promise<ModChanges> {
  switch (change.type) {
    case 'install':
      return changesOf(
        api.POST('/instances/{id}/mods', { params: { path: { id } }, body: { project: change.project, dryRun } }),
      );
    case 'update':
      return changesOf(
        api.POST('/instances/{id}/mods/update', {
          params: { path: { id } },
          body: { dryRun, ...(change.project !== undefined && { project: change.project }) },
        }),
      );
    case 'remove':
      return changesOf(
        api.DELETE('/instances/{id}/mods/{mod}', {
          params: { path: { id, mod: change.file }, query: { force: force ? 'true' : 'false' } },
        }),
      );
  }
}

/** The schema's other response, 202, needs "Prefer: respond-async". */
async function changesOf(answer: Promise<{ data?: ModChanges | Schemas['Job'] }>): Promise<ModChanges> {
  return (await dataOf(answer)) as ModChanges;
}
