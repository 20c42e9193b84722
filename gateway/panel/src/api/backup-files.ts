import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { JOBS } from './query-keys.ts';
import { api, dataOf, type Schemas } from './transport/client.ts';

export type BackupFileEntry = Schemas['FileEntry'];
export type FileDifference = Schemas['FileDifference'];

/** A file or folder in a backup. `path` is relative to the server's folder; '' is that folder. */
export interface BackupPath {
  instanceId: string;
  backupId: string;
  path: string;
}

const PAGE_LENGTH = 200;
const key = ({ instanceId, backupId, path }: BackupPath) => ['backup-files', instanceId, backupId, path];

/** A folder in a backup, page by page. A backup never changes. */
export function useBackupFolder(at: BackupPath) {
  const { instanceId: id, backupId, path } = at;
  return useInfiniteQuery({
    queryKey: key(at),
    staleTime: Number.POSITIVE_INFINITY,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: Schemas['FileList']) => next,
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/instances/{id}/backups/{backupId}/files', {
          params: {
            path: { id, backupId },
            query: { path, limit: PAGE_LENGTH, ...(pageParam !== undefined && { cursor: Number(pageParam) }) },
          },
          signal,
        }),
      ),
  });
}

/** What differs from today's files, page by page. A page may be empty although others follow. */
export function useDifferences(at: BackupPath) {
  const { instanceId: id, backupId, path } = at;
  return useInfiniteQuery({
    queryKey: [...key(at), 'differences'],
    gcTime: 0,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: Schemas['FileDifferences']) => next,
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/instances/{id}/backups/{backupId}/files/compare', {
          params: {
            path: { id, backupId },
            query: { path, limit: PAGE_LENGTH, ...(pageParam !== undefined && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
  });
}

export function useFileRestore({ instanceId, backupId }: Omit<BackupPath, 'path'>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (paths: string[]) =>
      api.POST('/instances/{id}/backups/{backupId}/files/restore', {
        params: { path: { id: instanceId, backupId } },
        headers: { Prefer: 'respond-async' },
        body: { paths },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: JOBS }),
  });
}

export function backupFileUrl({ instanceId, backupId, path }: BackupPath): string {
  const files = `/instances/${encodeURIComponent(instanceId)}/backups/${encodeURIComponent(backupId)}/files`;
  return `${files}/content?path=${encodeURIComponent(path)}`;
}
