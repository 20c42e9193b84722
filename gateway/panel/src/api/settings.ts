import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas } from './transport/client.ts';

const SETTINGS = ['settings'];

/** The document, and the tag that a change has to name so that nobody else's is overwritten. */
export interface SettingsDocument {
  settings: Schemas['Settings'];
  etag: string;
}

/** `enabled`: false for who may not see them. */
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

/** Changes what is named and leaves the rest (JSON Merge Patch). A 412 says that somebody else was faster. */
export function useChangeSettings() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ change, etag }: { change: Schemas['SettingsChange']; etag: string }) =>
      api.PUT('/api/settings', { body: change, headers: { 'If-Match': etag } }),
    onSettled: () => queries.invalidateQueries({ queryKey: SETTINGS }),
  });
}
