import { useQuery } from '@tanstack/react-query';
import { api, dataOf, type Instance } from './transport/client.ts';

const MINUTE_MS = 60_000;

/** The kinds of servers that can be made. They change only where an owner adds a file. */
export function useSoftware() {
  return useQuery({
    queryKey: ['software'],
    staleTime: MINUTE_MS,
    queryFn: () => dataOf(api.GET('/software')),
  });
}

/** What a server runs, as people call it: "Paper 1.21.4". A program of one's own has no version. */
export function useSoftwareName(): (instance: Instance) => string {
  const kinds = useSoftware().data;
  return ({ software, version }) => {
    const title = kinds?.find(({ kind }) => kind === software)?.title ?? software;
    return version === software ? title : `${title} ${version}`;
  };
}

/** What the vendor of a kind lists, newest first. */
export function useSoftwareVersions(kind: string, { enabled }: { enabled: boolean }) {
  return useQuery({
    queryKey: ['software', kind, 'versions'],
    enabled,
    queryFn: () => dataOf(api.GET('/software/{kind}/versions', { params: { path: { kind } } })),
  });
}
