import { type Dialect, PostgresDialect } from 'kysely';

const MOST_CONNECTIONS = 10;
/** How long a request waits for a connection, milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000;
/** `int8` in pg_type: numbers of 64 bits. */
const INT8 = 20;

/** Returns a Kysely dialect on PostgreSQL. `onError` gets failures of idle connections, such as a restart of the server. */
export async function postgresDialect(url: string, onError: (error: Error) => void): Promise<Dialect> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max: MOST_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // Our numbers are seconds, which a JavaScript number holds exactly. By default pg returns strings.
    types: { getTypeParser: (id: number, format) => (id === INT8 ? Number : pg.types.getTypeParser(id, format)) },
  });
  pool.on('error', onError);
  // The pool listens to idle connections only. One that is lost between two statements of a transaction would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined)); // The next statement fails.
  return new PostgresDialect({ pool });
}
