import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Instance, type Schemas } from './transport/client.ts';

const key = (instanceId: string) => ['properties', instanceId];

/** `etag`: a change must name it, so that it does not overwrite someone else's. */
export interface PropertiesDocument {
  properties: Readonly<Record<string, string>>;
  etag: string;
}

/** When each changed property is in effect. */
export type Effects = NonNullable<Schemas['ChangedProperties']['effects']>;

interface Answer {
  data?: Schemas['Properties'];
  response: Response;
}

function documentOf({ data, response }: Answer): PropertiesDocument {
  return { properties: data?.properties ?? {}, etag: response.headers.get('etag') ?? '' };
}

/** Secrets arrive as "********". */
export function propertiesQuery(instanceId: string) {
  return queryOptions({
    queryKey: key(instanceId),
    queryFn: async () =>
      documentOf(await api.GET('/instances/{id}/properties', { params: { path: { id: instanceId } } })),
  });
}

/** Types, defaults and limits of the properties of the server's version. */
export function knownPropertiesQuery({ id, version }: Instance) {
  return queryOptions({
    queryKey: [...key(id), 'known', version],
    queryFn: async () =>
      (await dataOf(api.GET('/instances/{id}/properties/schema', { params: { path: { id } } }))).properties,
  });
}

/** Sets properties of a server that was just created. Its first start makes a world with them. */
export function setFirstProperties(instanceId: string, properties: Readonly<Record<string, string>>) {
  return dataOf(api.PUT('/instances/{id}/properties', { params: { path: { id: instanceId } }, body: { properties } }));
}

/** Sets the given properties and leaves the others. Fails with 412 if someone else changed the file since. */
export function useChangeProperties(instanceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({
      properties,
      etag,
    }: PropertiesDocument): Promise<PropertiesDocument & { effects: Effects }> => {
      const answer = await api.PUT('/instances/{id}/properties', {
        params: { path: { id: instanceId }, header: { 'If-Match': etag } },
        body: { properties },
      });
      return { ...documentOf(answer), effects: answer.data?.effects ?? {} };
    },
    onSuccess: ({ properties, etag }) => queries.setQueryData(key(instanceId), { properties, etag }),
  });
}
