import * as z from 'zod';
import type { Metrics } from './http/metrics.ts';
import type { OpenApiDocument } from './http/openapi.ts';
import { PUBLIC } from './http/operation.ts';
import type { Api } from './http/zod-provider.ts';

export interface ServiceRouteOptions {
  metrics: Metrics;
  describe: () => OpenApiDocument;
}

/** What both listeners serve about themselves. */
export function serviceRoutes(app: Api, { metrics, describe }: ServiceRouteOptions): void {
  const tag = 'Service';

  app.get(
    '/openapi.json',
    {
      schema: { response: { 200: z.looseObject({ openapi: z.literal('3.1.0') }) } },
      config: { operation: { id: 'getOpenApi', summary: 'This description, for programs', tag, access: PUBLIC } },
    },
    () => ({ ...describe() }),
  );

  app.get(
    '/metrics',
    {
      config: {
        operation: {
          id: 'getMetrics',
          summary: 'Metrics for Prometheus',
          description: 'Open to callers on this machine; OpenMetrics on request.',
          tag,
          access: { kind: 'scope', scope: 'servers:read', of: 'everything', openOnLoopback: true },
          unlimited: true,
          answers: { 200: { description: 'The metrics.', contentType: 'text/plain' } },
        },
      },
    },
    async (request, reply) => {
      const { contentType, text } = await metrics.scrape(request.headers.accept);
      return reply.type(contentType).send(text);
    },
  );
}
