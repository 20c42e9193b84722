import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isLocalAdmin } from './roles.ts';
import type { Session } from './session.ts';
import { api, type Schemas } from './transport/client.ts';

export const SETTINGS = ['settings'];

/** `etag`: a change must name it, so that it does not overwrite someone else's. */
export interface SettingsDocument {
  settings: Schemas['Settings'];
  etag: string;
}

export function useSettings({ enabled = true } = {}) {
  return useQuery({
    queryKey: SETTINGS,
    enabled,
    queryFn: async (): Promise<SettingsDocument> => {
      const { data, response } = await api.GET('/api/settings');
      return { settings: data as Schemas['Settings'], etag: response.headers.get('etag') ?? '' };
    },
  });
}

/** Whether backups can be copied off-site. Only administrators may read the settings, and nobody through the hosted proxy. */
export function useMayHaveStores(session: Pick<Session, 'role' | 'proxy'>): boolean {
  const seesSettings = isLocalAdmin(session);
  const { data } = useSettings({ enabled: seesSettings });
  return !seesSettings || (data?.settings.backups.stores ?? []).length > 0;
}

/** Changes the given settings and leaves the others (JSON Merge Patch, RFC 7396). Fails with 412 if someone else changed them since. */
export function useChangeSettings() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ change, etag }: { change: Schemas['SettingsChange']; etag: string }) =>
      api.PUT('/api/settings', { body: change, headers: { 'If-Match': etag } }),
    onSettled: () => queries.invalidateQueries({ queryKey: SETTINGS }),
  });
}
