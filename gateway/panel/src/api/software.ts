import { useQuery } from '@tanstack/react-query';
import { configurationQuery } from './instances.ts';
import { api, dataOf, type Instance, type Schemas } from './transport/client.ts';

const MINUTE_MS = 60_000;

/** Kinds of servers. They change only when the owner adds a kind file. */
export function useSoftware() {
  return useQuery({
    queryKey: ['software'],
    staleTime: MINUTE_MS,
    queryFn: () => dataOf(api.GET('/software')),
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
