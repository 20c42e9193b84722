import type { DatabaseSync } from 'node:sqlite';

/** Runs `work` so that all of it is on disk when this returns, or nothing of it where it throws. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk has ended it already (sqlite.org/lang_transaction.html, 2.4).
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
