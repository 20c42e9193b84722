import { healthResponse } from '../../../shared/schema/answers.ts';
import { PUBLIC } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';

export function healthRoute(app: Api, { health }: Services, now: () => number): void {
  app.route({
    method: 'GET',
    url: '/health',
    schema: { response: { 200: healthResponse } },
    config: {
      operation: {
        id: 'getHealth',
        summary: 'Get the health of the daemon',
        tag: 'Health',
        access: PUBLIC,
        unlimited: true,
        answers: { 200: { description: 'The daemon answers.' } },
      },
    },
    handler: () => health.health(now()),
  });
}
