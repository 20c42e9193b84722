import { VERSION } from '../../shared/domain/version.ts';
import { PUBLIC } from '../http/operation.ts';
import type { Api } from '../http/zod-provider.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { OpenApiDocument } from '../openapi/types.ts';

export interface ServiceRouteOptions {
  metrics: Metrics;
  describe: () => OpenApiDocument;
}

const METRICS_EXAMPLE = `# HELP gamekeeper_instance_up 1 while the game server is running and players can join, else 0.
# TYPE gamekeeper_instance_up gauge
gamekeeper_instance_up{instance="demo",software="demo"} 1
`;

export function serviceRoutes(app: Api, { metrics, describe }: ServiceRouteOptions): void {
  const tag = 'Service';
  /** Hundreds of kilobytes: built once, and shared by slow readers. */
  let text: Buffer | undefined;

  app.get(
    '/openapi.json',
    {
      config: {
        operation: {
          id: 'getOpenApi',
          summary: 'Get this OpenAPI document',
          tag,
          access: PUBLIC,
          answers: {
            200: {
              description: 'The OpenAPI document of this listener.',
              contentType: 'application/json',
              example: { openapi: '3.1.0', info: { title: 'Gamekeeper', version: VERSION }, paths: {} },
            },
          },
        },
      },
    },
    async (_request, reply) => {
      text ??= Buffer.from(JSON.stringify(describe()));
      return reply.type('application/json; charset=utf-8').send(text);
    },
  );

  app.get(
    '/metrics',
    {
      config: {
        operation: {
          id: 'getMetrics',
          summary: 'Get metrics for Prometheus',
          description:
            'Callers on this machine need no credentials, unless a proxy is in front. Send `Accept: application/openmetrics-text` for OpenMetrics.',
          tag,
          access: { kind: 'scope', scope: 'servers:read', of: 'everything', openOnLoopback: true },
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
