import type { FastifyInstance } from 'fastify';
import { checkDatabase, type Database } from '../store/database.ts';

export interface HealthOptions {
  database: Database;
  /** The proxy will end soon. */
  isDraining: () => boolean;
}

/** For load balancers. `/livez`: the process answers. `/readyz`: it should get new requests. */
export function healthRoutes(app: FastifyInstance, { database, isDraining }: HealthOptions): void {
  const headers = { 'cache-control': 'no-store' };
  app.get('/livez', (_request, reply) => reply.headers(headers).send({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const status = isDraining() ? 'draining' : await databaseStatus(database);
    return reply
      .code(status === 'ok' ? 200 : 503)
      .headers(headers)
      .send({ status });
  });
}

async function databaseStatus(database: Database): Promise<'ok' | 'database unavailable'> {
  try {
    await checkDatabase(database);
    return 'ok';
  } catch {
    return 'database unavailable';
  }
}
