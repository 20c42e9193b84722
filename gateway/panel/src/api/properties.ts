import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Instance } from './transport/client.ts';

const key = (instanceId: string) => ['properties', instanceId];

/** The properties, and the tag that a change has to name so that nobody else's is overwritten. */
export interface PropertiesDocument {
  properties: Readonly<Record<string, string>>;
  etag: string;
}

interface Answer {
  data?: { properties: Record<string, string> };
  response: Response;
}

function documentOf({ data, response }: Answer): PropertiesDocument {
  return { properties: data?.properties ?? {}, etag: response.headers.get('etag') ?? '' };
}

/** Secrets read as "********". */
export function propertiesQuery(instanceId: string) {
  return queryOptions({
    queryKey: key(instanceId),
    queryFn: async () =>
      documentOf(await api.GET('/instances/{id}/properties', { params: { path: { id: instanceId } } })),
  });
}

/** What is known of the properties that the server's version has. */
export function knownPropertiesQuery({ id, version }: Instance) {
  return queryOptions({
    queryKey: [...key(id), 'known', version],
    queryFn: async () =>
      (await dataOf(api.GET('/instances/{id}/properties/schema', { params: { path: { id } } }))).properties,
  });
}

/** Sets what is named and leaves the rest. A 412 says that somebody else was faster. */
export function useChangeProperties(instanceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ properties, etag }: PropertiesDocument) =>
      documentOf(
        await api.PUT('/instances/{id}/properties', {
          params: { path: { id: instanceId }, header: { 'If-Match': etag } },
          body: { properties },
        }),
      ),
    onSuccess: (written) => queries.setQueryData(key(instanceId), written),
  });
}
