import * as z from 'zod';
import { history as historyAnswer, historyRange } from '../../../shared/schema/history.ts';
import { needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance } from '../parameters.ts';

export function historyRoute(app: Api, { history }: Services): void {
  app.get(
    '/instances/:id/history',
    {
      schema: {
        params: ofInstance,
        querystring: z.object({ range: historyRange.default('1h') }),
        response: { 200: historyAnswer },
      },
      config: {
        operation: {
          id: 'getHistory',
          summary: 'Get CPU, memory, tick time, players, free disk space and events over the last hour, day or week',
          tag: 'Instances',
          access: needs('servers:read'),
          errors: ['instance_not_found'],
        },
      },
    },
    (request) => history.read(request.params.id, request.query.range, request.identity!),
  );
}
