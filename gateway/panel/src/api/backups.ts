import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { backupsKey, JOBS } from './query-keys.ts';
import { api, type Backup, dataOf } from './transport/client.ts';

export function useBackups(instanceId: string) {
  return useQuery({
    queryKey: backupsKey(instanceId),
    queryFn: () => allBackups(instanceId),
  });
}

async function allBackups(id: string): Promise<Backup[]> {
  const found: Backup[] = [];
  for (;;) {
    const before = found.at(-1)?.backupId;
    const query = before === undefined ? {} : { before };
    const { data = [], response } = await api.GET('/instances/{id}/backups', { params: { path: { id }, query } });
    found.push(...data);
    if (!response.headers.has('link')) return found;
  }
}

/** Retention rules. Without any, every backup is kept. */
export function useRetention(instanceId: string) {
  return useQuery({
    queryKey: ['retention', instanceId],
    queryFn: () => dataOf(api.GET('/instances/{id}/backups/retention', { params: { path: { id: instanceId } } })),
  });
}

export type BackupWork = 'restore' | 'verify' | 'drill';

/** Returns once the job is queued; events report its progress. */
const RESPOND_ASYNC = { Prefer: 'respond-async' } as const;

export function useStartBackup(instanceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (cloudReplicate: boolean) =>
      api.POST('/instances/{id}/backup', {
        params: { path: { id: instanceId } },
        headers: RESPOND_ASYNC,
        body: { cloudReplicate },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: JOBS }),
  });
}

export function useBackupWork(instanceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ backupId, work, restart }: { backupId: string; work: BackupWork; restart?: boolean }) =>
      api.POST(`/instances/{id}/backups/{backupId}/${work}`, {
        params: { path: { id: instanceId, backupId } },
        ...(restart && { body: { restart } }),
        headers: RESPOND_ASYNC,
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: JOBS }),
  });
}

export function usePinBackup(instanceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ backupId, pinned }: { backupId: string; pinned: boolean }) =>
      api.PATCH('/instances/{id}/backups/{backupId}', {
        params: { path: { id: instanceId, backupId } },
        body: { pinned },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: backupsKey(instanceId) }),
  });
}

export function useDeleteBackup(instanceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (backupId: string) =>
      api.DELETE('/instances/{id}/backups/{backupId}', { params: { path: { id: instanceId, backupId } } }),
    onSettled: () => queries.invalidateQueries({ queryKey: backupsKey(instanceId) }),
  });
}

export function archiveUrl(instanceId: string, backupId: string): string {
  return `/instances/${encodeURIComponent(instanceId)}/backups/${encodeURIComponent(backupId)}/archive`;
}
