import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './transaction.ts';

/**
 * The daemon's tables, one migration step per entry. A released step never changes. The number of steps done has its own table, because
 * `user_version` belongs to the file, and the jobs process has tables in it as well.
 */
export const STEPS: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

  CREATE TABLE instances (
    id TEXT PRIMARY KEY,
    config TEXT NOT NULL,
    last_crash TEXT
  ) STRICT;

  CREATE TABLE users (
    username TEXT PRIMARY KEY COLLATE NOCASE,
    role TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    must_change_password INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE sessions (
    token_hash TEXT PRIMARY KEY,
    username TEXT NOT NULL COLLATE NOCASE REFERENCES users (username) ON DELETE CASCADE,
    expires_at TEXT NOT NULL,
    absolute_expires_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX sessions_of_user ON sessions (username);

  CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    unrestricted INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    revoked INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    who TEXT NOT NULL,
    origin TEXT NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    status INTEGER NOT NULL,
    request_id TEXT NOT NULL
  ) STRICT;
  `,
  `
  CREATE TABLE usage_points (
    instance TEXT NOT NULL,
    step INTEGER NOT NULL,
    at INTEGER NOT NULL,
    cpu_sum REAL NOT NULL,
    cpu_count INTEGER NOT NULL,
    memory_sum REAL NOT NULL,
    memory_count INTEGER NOT NULL,
    players INTEGER,
    PRIMARY KEY (instance, step, at)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE users ADD COLUMN every_instance INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE users ADD COLUMN disabled INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE users ADD COLUMN created_at TEXT;

  -- A grant goes with its user and with its instance: another instance that gets the same id one day is not granted.
  CREATE TABLE grants (
    username TEXT NOT NULL COLLATE NOCASE REFERENCES users (username) ON DELETE CASCADE,
    instance TEXT NOT NULL REFERENCES instances (id) ON DELETE CASCADE,
    role TEXT,
    PRIMARY KEY (username, instance)
  ) STRICT;
  CREATE INDEX grants_on_instance ON grants (instance);
  CREATE INDEX tokens_of_user ON tokens (created_by COLLATE NOCASE);
  `,
  `
  CREATE TABLE totp (
    username TEXT PRIMARY KEY COLLATE NOCASE REFERENCES users (username) ON DELETE CASCADE,
    secret TEXT NOT NULL,
    confirmed INTEGER NOT NULL DEFAULT 0,
    last_step INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE recovery_codes (
    username TEXT NOT NULL COLLATE NOCASE REFERENCES users (username) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    PRIMARY KEY (username, hash)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE audit ADD COLUMN kind TEXT NOT NULL DEFAULT 'change';
  ALTER TABLE audit ADD COLUMN username TEXT NOT NULL DEFAULT '' COLLATE NOCASE;
  ALTER TABLE audit ADD COLUMN instance TEXT;
  ALTER TABLE audit ADD COLUMN command TEXT;
  CREATE INDEX audit_of_kind ON audit (kind);
  CREATE INDEX audit_of_user ON audit (username);
  CREATE INDEX audit_of_instance ON audit (instance) WHERE instance IS NOT NULL;
  `,
  `
  ALTER TABLE instances ADD COLUMN ran INTEGER NOT NULL DEFAULT 0;
  `,
  `
  ALTER TABLE usage_points ADD COLUMN tick_time_sum REAL NOT NULL DEFAULT 0;
  ALTER TABLE usage_points ADD COLUMN tick_time_count INTEGER NOT NULL DEFAULT 0;
  `,
  `
  ALTER TABLE instances ADD COLUMN crashed INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- Random instead of counted: another user who gets the same name one day never has the same version.
  ALTER TABLE users ADD COLUMN version TEXT NOT NULL DEFAULT '';
  UPDATE users SET version = lower(hex(randomblob(16)));
  `,
  `
  CREATE TABLE used_grants (grant_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE grants ADD COLUMN files TEXT;
  `,
  `
  CREATE TABLE ssh_keys (
    id TEXT PRIMARY KEY,
    username TEXT NOT NULL COLLATE NOCASE REFERENCES users (username) ON DELETE CASCADE,
    label TEXT NOT NULL,
    type TEXT NOT NULL,
    base64 TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    created_at TEXT NOT NULL,
    UNIQUE (username, fingerprint)
  ) STRICT;
  `,
  `
  CREATE TABLE usage_events (
    instance TEXT NOT NULL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    PRIMARY KEY (instance, at, kind)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE usage_points ADD COLUMN disk_free INTEGER;
  `,
  `
  -- Counts the events of an instance in the order in which they were added, which the clock does not tell once it was set back.
  ALTER TABLE usage_events ADD COLUMN seq INTEGER NOT NULL DEFAULT 0;
  `,
];

/** The number of steps in this version. */
export const SCHEMA = STEPS.length;

/** Migrates the daemon's tables to the version with these steps. Throws if a newer one wrote them. */
export function migrate(database: DatabaseSync, steps: readonly string[] = STEPS): void {
  database.exec('CREATE TABLE IF NOT EXISTS daemon_schema (steps INTEGER NOT NULL) STRICT');
  const row = database.prepare('SELECT steps FROM daemon_schema').get();
  const done = Number(row?.steps ?? 0);
  if (done === steps.length) return;
  if (done > steps.length) throw new Error('it was written by a newer version of Gamekeeper');
  inTransaction(database, () => {
    for (const step of steps.slice(done)) database.exec(step);
    database.exec('DELETE FROM daemon_schema');
    database.prepare('INSERT INTO daemon_schema (steps) VALUES (?)').run(steps.length);
  });
}
