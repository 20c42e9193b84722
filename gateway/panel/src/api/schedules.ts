import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { schedulesKey } from './query-keys.ts';
import { api, dataOf, type Schemas } from './transport/client.ts';

export type Schedule = Schemas['Schedule'];
export type NewSchedule = Schemas['NewSchedule'];

/** `etag`: a change must name it, so that it does not overwrite someone else's. */
export interface SchedulesDocument {
  schedules: readonly Schedule[];
  etag: string;
}

interface Answer {
  data?: Schemas['Schedules'];
  response: Response;
}

function documentOf({ data, response }: Answer): SchedulesDocument {
  return { schedules: data?.schedules ?? [], etag: response.headers.get('etag') ?? '' };
}

export function schedulesQuery(instanceId: string) {
  return queryOptions({
    queryKey: schedulesKey(instanceId),
    queryFn: async () =>
      documentOf(await api.GET('/instances/{id}/schedules', { params: { path: { id: instanceId } } })),
  });
}

export function scheduleRunsQuery(instanceId: string) {
  return queryOptions({
    queryKey: [...schedulesKey(instanceId), 'runs'],
    queryFn: async () =>
      (await dataOf(api.GET('/instances/{id}/schedules/history', { params: { path: { id: instanceId } } }))).runs,
  });
}

/** Replaces all schedules. Fails with 412 if someone else changed them since; then they are refetched. */
export function useSetSchedules(instanceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ schedules, etag }: { schedules: readonly NewSchedule[]; etag: string }) =>
      documentOf(
        await api.PUT('/instances/{id}/schedules', {
          params: { path: { id: instanceId }, header: { 'If-Match': etag } },
          body: { schedules: [...schedules] },
        }),
      ),
    onSuccess: (written) => queries.setQueryData(schedulesKey(instanceId), written),
    onError: () => queries.invalidateQueries({ queryKey: schedulesKey(instanceId) }),
  });
}
