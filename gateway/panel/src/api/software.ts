import { useQuery } from '@tanstack/react-query';
import { api, dataOf, type Instance } from './transport/client.ts';

const MINUTE_MS = 60_000;

/** Kinds of servers. They change only when the owner adds a kind file. */
export function useSoftware() {
  return useQuery({
    queryKey: ['software'],
    staleTime: MINUTE_MS,
    queryFn: () => dataOf(api.GET('/software')),
  });
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
