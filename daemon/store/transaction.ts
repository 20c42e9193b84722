import type { DatabaseSync } from 'node:sqlite';

/**
 * Runs `work` in a transaction. When this returns, the changes are on disk; if `work` throws, they are undone. Within another transaction,
 * `work` becomes part of that one.
 */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  if (database.isTransaction) return work();
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk rolls it back automatically (sqlite.org/lang_transaction.html, 2.4).
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
