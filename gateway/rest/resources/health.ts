import { healthResponse } from '../../../shared/schema/answers.ts';
import { PUBLIC } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

export function healthRoute(app: Api, { health }: Services, now: () => number): void {
  app.route({
    method: 'GET',
    url: '/health',
    schema: { response: { 200: healthResponse } },
    config: {
      operation: {
        id: 'getHealth',
        summary: 'Health of the daemon',
        tag: 'Health',
        access: PUBLIC,
        unlimited: true,
        answers: { 200: { description: 'The daemon answers.' } },
      },
    },
    handler(_request, reply) {
      reply.header('content-type', JSON_TYPE);
      const answer = health.health(now());
      // The text is JSON already; the type of the answer is that of what it was made from.
      const send = (text: string) => (reply as { send(payload: unknown): unknown }).send(text);
      if (typeof answer === 'string') send(answer);
      else answer.then(send, (error) => send(error));
    },
  });
}
