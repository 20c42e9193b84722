import { type Dialect, PostgresDialect, type PostgresPool } from 'kysely';
import type { Pool, PoolClient } from 'pg';

const MOST_CONNECTIONS = 10;
/** How long a request waits for a connection, milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000;
/** How long a statement waits for its answer. All are short, but those of a migration. Milliseconds. */
const ANSWER_WITHIN_MS = 10_000;
/** What pg says after that. */
export const NO_ANSWER = 'Query read timeout';
/** `int8` in pg_type: numbers of 64 bits. */
const INT8 = 20;

export interface PostgresOptions {
  url: string;
  /** Gets failures of idle connections, such as a restart of the server. */
  onError: (error: Error) => void;
  /** Statements may take as long as they need. */
  isPatient?: boolean;
}

/** Returns a Kysely dialect on PostgreSQL. A connection whose server does not answer in time is given up. */
export async function postgresDialect({ url, onError, isPatient = false }: PostgresOptions): Promise<Dialect> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max: MOST_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...(!isPatient && { query_timeout: ANSWER_WITHIN_MS }),
    // Our numbers are seconds, which a JavaScript number holds exactly. By default pg returns strings.
    types: { getTypeParser: (id: number, format) => (id === INT8 ? Number : pg.types.getTypeParser(id, format)) },
  });
  pool.on('error', onError);
  // The pool listens to idle connections only. One that is lost between two statements of a transaction would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined)); // The next statement fails.
  return new PostgresDialect({ pool: givingUp(pool) });
}

/** The pool would lend a connection again that still waits for the answer to an earlier statement. */
function givingUp(pool: Pool): PostgresPool {
  return {
    async connect() {
      const client: PoolClient = await pool.connect();
      let isStuck = false;
      const query = async (...args: Parameters<PoolClient['query']>) => {
        // The end of a transaction would wait as long again.
        if (isStuck) throw new Error(NO_ANSWER);
        try {
          return await client.query(...args);
        } catch (error) {
          isStuck = (error as Error).message === NO_ANSWER;
          throw error;
        }
      };
      return { query, release: () => client.release(isStuck) } as never;
    },
    end: () => pool.end(),
    options: pool.options as never,
  };
}
