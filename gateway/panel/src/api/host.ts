import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, dataOf } from './transport/client.ts';

const REFRESH_MS = 5_000;

export const hostQuery = queryOptions({ queryKey: ['host'], queryFn: () => dataOf(api.GET('/api/host')) });

/** How busy this computer is, while the page is in sight. For administrators who are signed in here. */
export function useHost({ enabled }: { enabled: boolean }) {
  return useQuery({ ...hostQuery, enabled, refetchInterval: REFRESH_MS });
}

/**
 * Returns when the newest good backup of a server was made, in ISO 8601, as far as `useHost` has read it; `null` if the server has none,
 * `undefined` if that is unknown. Sends no request.
 */
export function useLastBackup(instanceId: string): string | null | undefined {
  const { data } = useQuery({
    ...hostQuery,
    enabled: false,
    select: ({ backups }) => backups && (backups.find((backup) => backup.instanceId === instanceId)?.createdAt ?? null),
  });
  return data;
}
