import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** SQLITE_BUSY: another process holds the lock. */
const BUSY = 5;

/**
 * Locks a file for this process, creating it with mode 0600 if necessary. The lock is the operating system's, taken by SQLite because that works
 * on every platform, and ends with its owner. Returns a function that releases it, or `undefined` if another process holds it. Nobody may remove
 * the file: two processes must never lock different files.
 */
export function lockFile(file: string): (() => void) | undefined {
  // SQLite would create a file that everyone can read. Its journal gets the same mode.
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600); // created by an earlier version
  const guard = new DatabaseSync(file);
  try {
    guard.exec('BEGIN EXCLUSIVE');
    return () => guard.close();
  } catch (error) {
    guard.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === BUSY) return undefined;
    throw error;
  }
}
