import type { FastifyInstance } from 'fastify';
import { checkDatabase, type Database } from '../store/database.ts';

export interface HealthOptions {
  /** The proxy will end soon. */
  isDraining: () => boolean;
  /** Resolves to whether requests that need the database would work. */
  hasDatabase: () => Promise<boolean> | boolean;
}

/** For load balancers. `/livez`: the process answers. `/readyz`: it should get new requests. */
export function healthRoutes(app: FastifyInstance, { isDraining, hasDatabase }: HealthOptions): void {
  const headers = { 'cache-control': 'no-store' };
  app.get('/livez', (_request, reply) => reply.headers(headers).send({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const status = isDraining() ? 'draining' : (await hasDatabase()) ? 'ok' : 'database unavailable';
    return reply
      .code(status === 'ok' ? 200 : 503)
      .headers(headers)
      .send({ status });
  });
}

/** Resolves to whether the database answers. */
export async function answers(database: Database): Promise<boolean> {
  return checkDatabase(database).then(
    () => true,
    () => false,
  );
}
