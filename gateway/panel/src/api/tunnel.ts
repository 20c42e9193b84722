import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { tunnelKey } from './query-keys.ts';
import { api, dataOf, type Schemas } from './transport/client.ts';

/** The latency changes with each probe, of which no event tells. Milliseconds. */
const READ_EVERY_MS = 15_000;

const settingsKey = (instanceId: string) => ['tunnel-settings', instanceId];
const of = (id: string) => ({ params: { path: { id } } });

/** The public address and whether it works, kept up to date. */
export function useTunnel(instanceId: string) {
  return useQuery({
    queryKey: tunnelKey(instanceId),
    queryFn: () => dataOf(api.GET('/instances/{id}/tunnel', of(instanceId))),
    refetchInterval: READ_EVERY_MS,
  });
}

/** The public address, also while it does not work; events keep it up to date. `enabled: false`: the user may not see that. */
export function useTunnelAddress(instanceId: string, { enabled }: { enabled: boolean }) {
  return useQuery({
    queryKey: tunnelKey(instanceId),
    queryFn: () => dataOf(api.GET('/instances/{id}/tunnel', of(instanceId))),
    enabled,
  });
}

export function useTestTunnel(instanceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => dataOf(api.POST('/instances/{id}/tunnel/test', of(instanceId))),
    onSuccess: (tunnel) => queries.setQueryData(tunnelKey(instanceId), tunnel),
  });
}

/** The hosted proxy connects to the address. */
export function useTestTunnelFromOutside(instanceId: string) {
  return useMutation({ mutationFn: () => dataOf(api.POST('/instances/{id}/tunnel/test/outside', of(instanceId))) });
}

export function useTunnelSettings(instanceId: string) {
  return useQuery({
    queryKey: settingsKey(instanceId),
    queryFn: () =>
      dataOf(api.GET('/instances/{id}/tunnel/settings', of(instanceId))) as Promise<Schemas['TunnelSettings']>,
  });
}

export function useSetTunnel(instanceId: string) {
  const queries = useQueryClient();
  return useMutation({
    // The types of openapi-fetch lose `provider: null` in bodies with secrets.
    mutationFn: (body: Schemas['TunnelSettingsInput']) =>
      dataOf(api.PUT('/instances/{id}/tunnel/settings', { ...of(instanceId), body: body as never })) as Promise<
        Schemas['TunnelSettings']
      >,
    onSuccess: (settings) => queries.setQueryData(settingsKey(instanceId), settings),
    onSettled: () => queries.invalidateQueries({ queryKey: tunnelKey(instanceId) }),
  });
}
