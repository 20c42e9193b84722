import * as z from 'zod';
import type { OpenApiDocument } from './http/openapi.ts';
import { PUBLIC } from './http/operation.ts';
import type { Api } from './http/zod-provider.ts';
import type { Metrics } from './metrics/metrics.ts';

export interface ServiceRouteOptions {
  metrics: Metrics;
  describe: () => OpenApiDocument;
}

const description = z.looseObject({ openapi: z.literal('3.1.0') }).meta({ id: 'OpenApiDescription' });

const METRICS_EXAMPLE = `# HELP gamekeeper_instance_up 1 while the game server runs.
# TYPE gamekeeper_instance_up gauge
gamekeeper_instance_up{instance="demo",software="demo"} 1
`;

/** What both listeners serve about themselves. */
export function serviceRoutes(app: Api, { metrics, describe }: ServiceRouteOptions): void {
  const tag = 'Service';
  /** Hundreds of kilobytes, the same for everybody: made once. */
  let text: string | undefined;

  app.get(
    '/openapi.json',
    {
      schema: { response: { 200: description } },
      config: { operation: { id: 'getOpenApi', summary: 'This description, for programs', tag, access: PUBLIC } },
    },
    async (_request, reply) => {
      const serialize = () => {
        text ??= JSON.stringify(describe());
        return text;
      };
      return reply.serializer(serialize).send({ ...describe() });
    },
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
          answers: { 200: { description: 'The metrics.', contentType: 'text/plain', example: METRICS_EXAMPLE } },
        },
      },
    },
    async (request, reply) => {
      const { contentType, text } = await metrics.scrape(request.headers.accept);
      return reply.type(contentType).send(text);
    },
  );
}
