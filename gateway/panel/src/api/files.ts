import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { filesKey, JOBS } from './query-keys.ts';
import { api, dataOf, type Schemas } from './transport/client.ts';
import { problemOf, unreachable } from './transport/problem.ts';

export type FileEntry = Schemas['FileEntry'];
export type FileMatch = Schemas['FileMatch'];
export type FileSort = 'name' | 'size' | 'modified';

/** A file or folder of a server. `path` is relative to the server's folder; '' is that folder. */
export interface FilePlace {
  instanceId: string;
  path: string;
}

const PAGE_LENGTH = 500;
const RESPOND_ASYNC = { Prefer: 'respond-async' } as const;

/** A folder, page by page. */
export function useFolder({ instanceId: id, path }: FilePlace, sort: { by: FileSort; descending: boolean }) {
  return useInfiniteQuery({
    queryKey: [...filesKey(id), 'folder', path, sort],
    // The server changes its files all the time.
    staleTime: 0,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: Schemas['FileList']) => next,
    queryFn: ({ pageParam: cursor, signal }) =>
      dataOf(
        api.GET('/instances/{id}/files', {
          params: {
            path: { id },
            query: {
              ...{ path, limit: PAGE_LENGTH, sort: sort.by, order: sort.descending ? 'desc' : 'asc' },
              ...(cursor !== undefined && { cursor }),
            },
          },
          signal,
        }),
      ),
  });
}

/** Searches below a folder. An empty text is no condition. */
export function useFileSearch({ instanceId: id, path }: FilePlace) {
  return useMutation({
    mutationFn: ({ name, contains }: { name: string; contains: string }) => {
      const query = { path, ...(name !== '' && { name }), ...(contains !== '' && { contains }) };
      return dataOf(api.GET('/instances/{id}/files/search', { params: { path: { id }, query } }));
    },
  });
}

/** What is in a folder, the largest first. */
export function useFolderUsage({ instanceId: id, path }: FilePlace) {
  return useQuery({
    queryKey: [...filesKey(id), 'usage', path],
    staleTime: 0,
    queryFn: ({ signal }) =>
      dataOf(api.GET('/instances/{id}/files/usage', { params: { path: { id }, query: { path } }, signal })),
  });
}

export function useTrash(instanceId: string) {
  return useQuery({
    queryKey: [...filesKey(instanceId), 'trash'],
    staleTime: 0,
    queryFn: () => dataOf(api.GET('/instances/{id}/files/trash', { params: { path: { id: instanceId } } })),
  });
}

/** Returns what fetches the folders of a server again, since something in them was changed. */
export function useFilesChanged(instanceId: string): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: filesKey(instanceId) });
}

export type FileChange =
  | { kind: 'folder'; path: string }
  | { kind: 'move' | 'copy'; from: string; to: string }
  | { kind: 'delete'; path: string }
  | { kind: 'zip'; path: string; names: string[]; to: string }
  | { kind: 'unpack'; path: string }
  | { kind: 'restore'; trashId: string }
  | { kind: 'empty-trash' };

/** Changes files. Resolves to the id in the trash of what was deleted, and for `zip` and `unpack` when the job has begun. */
export function useFileChange(instanceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: FileChange) => changed(instanceId, change),
    onSettled: () =>
      Promise.all([filesKey(instanceId), JOBS].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}

async function changed(id: string, change: FileChange): Promise<string | undefined> {
  const here = { path: { id } };
  switch (change.kind) {
    case 'folder':
      await api.POST('/instances/{id}/files/folder', { params: here, body: { path: change.path } });
      return undefined;
    case 'move':
      await api.POST('/instances/{id}/files/move', { params: here, body: { from: change.from, to: change.to } });
      return undefined;
    case 'copy':
      await api.POST('/instances/{id}/files/copy', { params: here, body: { from: change.from, to: change.to } });
      return undefined;
    case 'delete':
      return (await dataOf(api.DELETE('/instances/{id}/files', { params: { ...here, query: { path: change.path } } })))
        .trashId;
    case 'zip': {
      const { path, names, to } = change;
      await api.POST('/instances/{id}/files/archive', {
        params: here,
        headers: RESPOND_ASYNC,
        body: { path, names, to },
      });
      return undefined;
    }
    case 'unpack':
      await api.POST('/instances/{id}/files/extract', {
        params: here,
        headers: RESPOND_ASYNC,
        body: { path: change.path },
      });
      return undefined;
    case 'restore':
      await api.POST('/instances/{id}/files/trash/{trashId}/restore', {
        params: { path: { id, trashId: change.trashId } },
      });
      return undefined;
    case 'empty-trash':
      await api.DELETE('/instances/{id}/files/trash', { params: here });
      return undefined;
  }
}

/** The earlier versions of a file. */
export function useVersions({ instanceId: id, path }: FilePlace) {
  return useQuery({
    queryKey: [...filesKey(id), 'versions', path],
    staleTime: 0,
    queryFn: () => dataOf(api.GET('/instances/{id}/files/history', { params: { path: { id }, query: { path } } })),
  });
}

export function useVersionRestore({ instanceId: id, path }: FilePlace) {
  const onSettled = useFilesChanged(id);
  return useMutation({
    mutationFn: (version: string) =>
      api.POST('/instances/{id}/files/history/restore', { params: { path: { id } }, body: { path, version } }),
    onSettled,
  });
}

/** Returns the bytes of an earlier version. Throws a Problem. */
export async function readVersion({ instanceId, path }: FilePlace, version: string): Promise<Uint8Array> {
  const query = new URLSearchParams({ path, version });
  return new Uint8Array(await (await asked(filesUrl(instanceId, `/history/content?${query}`), {})).arrayBuffer());
}

export interface FileContent {
  bytes: Uint8Array<ArrayBuffer>;
  etag: string;
  /** Of the whole file. */
  sizeBytes: number;
}

/** Reads a file from `start`, at most `length` bytes. */
export async function readContent(
  at: FilePlace,
  { start, length }: { start: number; length: number },
): Promise<FileContent> {
  const response = await asked(contentUrl(at), { headers: { range: `bytes=${start}-${start + length - 1}` } });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const total = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
  return {
    bytes,
    etag: response.headers.get('etag') ?? '',
    sizeBytes: total === undefined ? bytes.length : Number(total),
  };
}

/** Replaces a file if it is still the version with this ETag; without one, creates it. Resolves to the new ETag. Throws a Problem. */
export async function writeContent(
  at: FilePlace,
  bytes: Uint8Array<ArrayBuffer> | Blob,
  etag: string | undefined,
): Promise<string> {
  const headers = etag === undefined ? { 'if-none-match': '*' } : { 'if-match': etag };
  const response = await asked(contentUrl(at), { method: 'PUT', body: bytes, headers });
  return response.headers.get('etag') ?? '';
}

async function asked(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init).catch(() => {
    throw unreachable();
  });
  // An empty file has no range.
  if (response.status === 416) return await asked(url, {});
  if (!response.ok) throw await problemOf(response);
  return response;
}

export function contentUrl({ instanceId, path }: FilePlace): string {
  return filesUrl(instanceId, `/content?path=${encodeURIComponent(path)}`);
}

export function archiveUrl({ instanceId, path }: FilePlace): string {
  return filesUrl(instanceId, `/archive?path=${encodeURIComponent(path)}`);
}

export function uploadsUrl({ instanceId, path }: FilePlace): string {
  return filesUrl(instanceId, `/uploads?path=${encodeURIComponent(path)}`);
}

function filesUrl(instanceId: string, rest: string): string {
  return `/instances/${encodeURIComponent(instanceId)}/files${rest}`;
}
