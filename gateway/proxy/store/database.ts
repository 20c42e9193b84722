import { Kysely, sql } from 'kysely';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { StartupError } from '../../../shared/node/processes/startup-error.ts';
import { migrate } from './migrations.ts';
import { NO_ANSWER, postgresDialect } from './postgres.ts';
import type { Tables } from './schema.ts';
import { sqliteDialect } from './sqlite.ts';

export type Database = Kysely<Tables>;

export interface DatabaseOptions {
  /** The file of the embedded database. */
  file: string;
  /** PostgreSQL instead of the file. */
  url: string | undefined;
  onError: (error: Error) => void;
}

/** Opens the database and migrates it. Throws StartupError if it cannot be used. */
export async function openDatabase({ file, url, onError }: DatabaseOptions): Promise<Database> {
  let database: Database | undefined;
  try {
    if (url === undefined) {
      database = new Kysely<Tables>({ dialect: sqliteDialect(file) });
      await migrate(database);
      return database;
    }
    // A migration of a large database takes longer than a request may.
    database = new Kysely<Tables>({ dialect: await postgresDialect({ url, onError, isPatient: true }) });
    await migrate(database);
    await database.destroy();
    return new Kysely<Tables>({ dialect: await postgresDialect({ url, onError }) });
  } catch (cause) {
    await database?.destroy();
    const name = url === undefined ? `The database ${file}` : 'The PostgreSQL database of DATABASE_URL';
    throw new StartupError(`${name} cannot be used: ${(cause as Error).message}.`, { cause });
  }
}

/** Throws if the database does not answer. */
export async function checkDatabase(database: Database): Promise<void> {
  await sql`SELECT 1`.execute(database);
}

/** PostgreSQL shuts down or starts (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const AWAY_STATES = ['57P01', '57P02', '57P03'];
const AWAY_CODES = ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'ENOTFOUND', 'EHOSTUNREACH', 'ETIMEDOUT', 'EPIPE'];
/** What pg says without a code. */
const AWAY_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Returns whether PostgreSQL cannot be reached, so that the same request may work a moment later. */
export function isDatabaseAway(error: unknown): boolean {
  if (hasErrorCode(error, ...AWAY_STATES)) return true;
  if (hasErrorCode(error, ...AWAY_CODES)) return 'syscall' in (error as Error);
  return error instanceof Error && (error.message === NO_ANSWER || AWAY_MESSAGES.test(error.message));
}

/** SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE (https://www.sqlite.org/rescode.html). */
const SQLITE_UNIQUE = [1555, 2067];
/** `unique_violation` of PostgreSQL. */
const POSTGRES_UNIQUE = '23505';

/** Returns whether a statement failed because another row has the same value. */
export function isUniqueViolation(error: unknown): boolean {
  if (hasErrorCode(error, POSTGRES_UNIQUE)) return true;
  return error instanceof Error && 'errcode' in error && SQLITE_UNIQUE.includes(error.errcode as number);
}

/** Seconds since 1970, as all tables have them. */
export function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
