import { scheduleHistory, scheduleList, setSchedules } from '../../../shared/schema/schedule.ts';
import { needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance } from '../parameters.ts';

const VERSIONED = { description: 'The schedules.', headers: { ETag: 'Version of the schedules, for `If-Match`' } };

/** All schedules of an instance are one resource. */
export function scheduleRoutes(app: Api, { schedules }: Services): void {
  const tag = 'Schedules';

  app.get(
    '/instances/:id/schedules',
    {
      schema: { params: ofInstance, response: { 200: scheduleList } },
      config: {
        operation: {
          id: 'getSchedules',
          work: 'schedules',
          summary: 'Get the schedules of an instance',
          description:
            'For callers without `servers:write`, commands are `********`. Sent back like that, a command stays as it is.',
          tag,
          access: needs('servers:read'),
          errors: ['instance_not_found', 'worker_unavailable'],
          answers: { 200: VERSIONED },
        },
      },
    },
    async (request, reply) => {
      const { schedules: list, etag } = await schedules.read(request.params.id, request.identity!);
      return reply.header('etag', etag).send({ schedules: list });
    },
  );

  app.put(
    '/instances/:id/schedules',
    {
      schema: { params: ofInstance, body: setSchedules, response: { 200: scheduleList } },
      config: {
        operation: {
          id: 'setSchedules',
          work: 'schedules',
          summary: 'Replace the schedules of an instance',
          description:
            'Removes schedules that are not in the list. A schedule runs with the present rights of the user who saved its last change, so each change needs the scope of its action; it is paused when the token that was used ends. `savedBy`, `savedAt`, `paused`, `nextRuns` and `lastRun` are ignored. With `If-Match`, only if nothing has changed since.',
          tag,
          access: needs('servers:write'),
          errors: ['instance_not_found', 'precondition_failed', 'worker_unavailable'],
          requestHeaders: {
            'If-Match': { description: 'ETag of the version that you have read', example: '"3f1c5a"' },
          },
          answers: { 200: VERSIONED },
        },
      },
    },
    async (request, reply) => {
      const by = { identity: request.identity!, ifMatch: request.headers['if-match'] };
      const written = await schedules.write(request.params.id, request.body.schedules, by);
      return reply.header('etag', written.etag).send({ schedules: written.schedules });
    },
  );

  app.get(
    '/instances/:id/schedules/history',
    {
      schema: { params: ofInstance, response: { 200: scheduleHistory } },
      config: {
        operation: {
          id: 'getScheduleHistory',
          summary: 'List the runs of schedules, newest first',
          tag,
          access: needs('servers:read'),
          errors: ['instance_not_found', 'worker_unavailable'],
        },
      },
    },
    async (request) => ({ runs: await schedules.history(request.params.id) }),
  );
}
