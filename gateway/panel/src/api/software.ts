import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { configurationQuery } from './instances.ts';
import { api, dataOf, type Instance, type Schemas } from './transport/client.ts';

const MINUTE_MS = 60_000;

const SOFTWARE = ['software'];

/** Kinds of servers. They change only when the owner adds a kind file. */
export const softwareQuery = queryOptions({
  queryKey: SOFTWARE,
  staleTime: MINUTE_MS,
  queryFn: () => dataOf(api.GET('/software')),
});

export function useSoftware() {
  return useQuery(softwareQuery);
}

/** The owner's files that cannot be used. */
export function softwareProblemsQuery() {
  return queryOptions({
    queryKey: [...SOFTWARE, 'problems'],
    queryFn: () => dataOf(api.GET('/software/problems')),
  });
}

export function useCheckKind() {
  return useMutation({
    mutationFn: (text: string) => dataOf(api.POST('/software/check', { body: { text } })),
  });
}

export function useSaveKind() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (text: string) => dataOf(api.POST('/software', { body: { text } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: SOFTWARE }),
  });
}

export function useRemoveKind() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (kind: string) => api.DELETE('/software/{kind}', { params: { path: { kind } } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: SOFTWARE }),
  });
}

/** The kind of a server, with the server's own transport. Absent until both are known, and if the kind no longer exists. */
export function useSoftwareOf({ id, software }: Pick<Instance, 'id' | 'software'>): Schemas['Software'] | undefined {
  const { data: configuration } = useQuery(configurationQuery(id));
  const kind = useSoftware().data?.find((one) => one.kind === software);
  if (!kind || !configuration) return undefined;
  const { transport = kind.transport } = configuration;
  return transport === kind.transport ? kind : { ...kind, transport, listPing: false };
}

/** Returns what a server runs, such as "Paper 1.21.4". Custom software has no version. */
export function useSoftwareName(): (instance: Instance) => string {
  const kinds = useSoftware().data;
  return ({ software, version }) => {
    const title = kinds?.find(({ kind }) => kind === software)?.title ?? software;
    return version === software ? title : `${title} ${version}`;
  };
}

export function useSoftwareVersions(kind: string, { enabled }: { enabled: boolean }) {
  return useQuery({
    queryKey: ['software', kind, 'versions'],
    enabled,
    queryFn: () => dataOf(api.GET('/software/{kind}/versions', { params: { path: { kind } } })),
  });
}
