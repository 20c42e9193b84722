import { crashReports } from '../../../shared/schema/crash.ts';
import { needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance } from './parameters.ts';
import { OF_SUPERVISOR } from './supervisor-errors.ts';

export function crashesRoute(app: Api, { crashes }: Services): void {
  app.get(
    '/instances/:id/crashes',
    {
      schema: { params: ofInstance, response: { 200: crashReports } },
      config: {
        operation: {
          id: 'listCrashes',
          summary: 'The last crashes, each with why and its last 50 lines, newest first',
          tag: 'Console',
          access: needs('logs:read'),
          errors: OF_SUPERVISOR,
        },
      },
    },
    async (request) => ({ crashes: await crashes.list(request.params.id) }),
  );
}
