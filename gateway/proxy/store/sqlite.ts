import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type Dialect, type SqliteDatabase, SqliteDialect } from 'kysely';

/** How long to wait for a transaction of the command line, which writes to the same file. Milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;

/** Returns a Kysely dialect on the SQLite that is part of Node.js. Creates the file with mode 0600 if necessary. */
export function sqliteDialect(file: string): Dialect {
  closeSync(openSync(file, 'a', 0o600));
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  return new SqliteDialect({ database: asKyselyDatabase(database) });
}

/** Kysely expects better-sqlite3: parameters in an array, and `reader` for statements that return rows. */
function asKyselyDatabase(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(sql) {
      // A transaction that reads first could not write once another process has written (SQLITE_BUSY_SNAPSHOT).
      const statement = database.prepare(sql === 'begin' ? 'begin immediate' : sql);
      const given = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...given(parameters)),
        run: (parameters) => statement.run(...given(parameters)),
        iterate: (parameters) => statement.iterate(...given(parameters)),
      };
    },
  };
}
