import { DatabaseSync } from 'node:sqlite';
import type { JOBS_SCHEMA } from '../../../shared/contract/jobs-schema.ts';

/** The daemon writes to the same file; its transactions take milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;

/** The tables of this process, one migration per entry. A released migration is never changed; append a new one. */
const STEPS = [
  `
  CREATE TABLE backup (
    instance_id TEXT NOT NULL,
    backup_id TEXT NOT NULL,
    state TEXT NOT NULL,
    pinned INTEGER NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (instance_id, backup_id)
  ) STRICT;

  CREATE TABLE backup_previous_folder (
    path TEXT PRIMARY KEY,
    instance_id TEXT NOT NULL,
    replaced_at INTEGER NOT NULL
  ) STRICT;
  `,
  `
  ALTER TABLE backup ADD COLUMN findings TEXT NOT NULL DEFAULT '{}';

  CREATE TABLE backup_replica (
    instance_id TEXT NOT NULL,
    backup_id TEXT NOT NULL,
    store TEXT NOT NULL,
    state TEXT NOT NULL,
    object TEXT,
    attempts INTEGER NOT NULL,
    next_attempt_at INTEGER,
    error TEXT,
    replicated_at TEXT,
    checked_at TEXT,
    PRIMARY KEY (instance_id, backup_id, store)
  ) STRICT;

  CREATE TABLE backup_scratch (
    path TEXT PRIMARY KEY
  ) STRICT;
  `,
  `
  CREATE TABLE schedule (
    instance_id TEXT NOT NULL,
    schedule_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    instance_since TEXT NOT NULL,
    definition TEXT NOT NULL,
    owner TEXT NOT NULL,
    saved_at TEXT NOT NULL,
    considered_at INTEGER NOT NULL,
    PRIMARY KEY (instance_id, schedule_id)
  ) STRICT;

  CREATE TABLE schedule_run (
    number INTEGER PRIMARY KEY,
    instance_id TEXT NOT NULL,
    run TEXT NOT NULL
  ) STRICT;
  CREATE INDEX schedule_run_of_instance ON schedule_run (instance_id, number);
  `,
  `
  CREATE TABLE known_mod (
    sha512 TEXT PRIMARY KEY,
    mod TEXT NOT NULL
  ) STRICT;

  CREATE TABLE waiting_mods (
    instance_id TEXT PRIMARY KEY,
    change TEXT NOT NULL
  ) STRICT;
  `,
] as const satisfies { readonly length: typeof JOBS_SCHEMA };

export function inTransaction(database: DatabaseSync, changes: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    changes();
    database.exec('COMMIT');
  } catch (error) {
    // A full disk has ended it already (sqlite.org/lang_transaction.html, 2.4).
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Opens the database and creates or migrates this process's tables. Throws if a newer Gamekeeper has written them. */
export function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  // FULL: a backup that was reported as done must survive a power cut.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  migrate(database);
  return database;
}

function migrate(database: DatabaseSync): void {
  inTransaction(database, () => {
    database.exec('CREATE TABLE IF NOT EXISTS backup_schema (steps INTEGER NOT NULL) STRICT');
    const done = Number(database.prepare('SELECT steps FROM backup_schema').get()?.steps ?? 0);
    if (done > STEPS.length) throw new Error('The database was written by a newer version of Gamekeeper.');
    if (done === STEPS.length) return; // writes nothing, so a full disk does not prevent the start
    for (const step of STEPS.slice(done)) database.exec(step);
    database.exec('DELETE FROM backup_schema');
    database.prepare('INSERT INTO backup_schema (steps) VALUES (?)').run(STEPS.length);
  });
}
