import { crashReports } from '../../../shared/schema/answers.ts';
import { needs, SUPERVISOR_ERRORS } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance } from '../parameters.ts';

export function crashesRoute(app: Api, { crashes }: Services): void {
  app.get(
    '/instances/:id/crashes',
    {
      schema: { params: ofInstance, response: { 200: crashReports } },
      config: {
        operation: {
          id: 'listCrashes',
          work: 'log',
          summary: 'List the last crashes with their cause and last 50 lines, newest first',
          tag: 'Console',
          access: needs('logs:read'),
          errors: SUPERVISOR_ERRORS,
        },
      },
    },
    async (request) => ({ crashes: await crashes.list(request.params.id) }),
  );
}
