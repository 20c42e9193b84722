import type { FastifyRequest } from 'fastify';

/** The form of every route about one instance, in each family. */
const OF_INSTANCE = /\/instances\/:id(?:\/|$)/;

/** The id in the path of a request about one instance. There need not be such an instance. */
export function instanceOf({ routeOptions, params }: FastifyRequest): string | undefined {
  if (!OF_INSTANCE.test(routeOptions.url ?? '')) return undefined;
  return (params as { id: string }).id;
}
