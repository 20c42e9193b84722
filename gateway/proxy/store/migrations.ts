import { type Kysely, sql } from 'kysely';
import type { Tables } from './schema.ts';

/** One list of statements per step, in the SQL that SQLite and PostgreSQL share. A released step never changes. */
export const STEPS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE account (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      name_key TEXT NOT NULL UNIQUE,
      password_hash TEXT NOT NULL,
      is_admin INTEGER NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    `CREATE TABLE session (
      id TEXT PRIMARY KEY,
      token_name TEXT NOT NULL UNIQUE,
      account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      created_at BIGINT NOT NULL,
      seen_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      user_agent TEXT NOT NULL,
      address TEXT NOT NULL
    )`,
    'CREATE INDEX session_of_account ON session (account_id)',
    'CREATE INDEX session_by_end ON session (expires_at)',
    `CREATE TABLE oauth_item (
      model TEXT NOT NULL,
      name TEXT NOT NULL,
      payload TEXT NOT NULL,
      grant_id TEXT,
      account_id TEXT REFERENCES account (id) ON DELETE CASCADE,
      user_code TEXT,
      uid TEXT,
      created_at BIGINT NOT NULL,
      expires_at BIGINT,
      consumed_at BIGINT,
      PRIMARY KEY (model, name)
    )`,
    'CREATE INDEX oauth_item_of_grant ON oauth_item (grant_id)',
    'CREATE INDEX oauth_item_of_account ON oauth_item (account_id, model)',
    'CREATE UNIQUE INDEX oauth_item_by_user_code ON oauth_item (user_code)',
    'CREATE INDEX oauth_item_by_uid ON oauth_item (uid)',
    'CREATE INDEX oauth_item_by_end ON oauth_item (expires_at)',
    `CREATE TABLE oauth_client (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      payload TEXT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    'CREATE TABLE revoked_grant (grant_id TEXT PRIMARY KEY, revoked_at BIGINT NOT NULL)',
    'CREATE TABLE signing_key (kid TEXT PRIMARY KEY, jwk TEXT NOT NULL, created_at BIGINT NOT NULL)',
    `CREATE TABLE daemon (
      id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      public_key TEXT NOT NULL,
      scopes TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      seen_at BIGINT
    )`,
    'CREATE INDEX daemon_of_account ON daemon (account_id)',
  ],
  [
    `CREATE TABLE totp (
      account_id TEXT PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
      secret TEXT NOT NULL,
      confirmed INTEGER NOT NULL,
      last_step BIGINT NOT NULL
    )`,
    `CREATE TABLE recovery_code (
      account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      hash TEXT NOT NULL,
      PRIMARY KEY (account_id, hash)
    )`,
  ],
  ['ALTER TABLE account ADD COLUMN version INTEGER NOT NULL DEFAULT 1'],
  [
    'ALTER TABLE account ADD COLUMN disabled INTEGER NOT NULL DEFAULT 0',
    'ALTER TABLE session ADD COLUMN confirmed_until BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE session ADD COLUMN confirmed_version INTEGER NOT NULL DEFAULT 0',
    'CREATE TABLE access_change (id INTEGER PRIMARY KEY, count BIGINT NOT NULL)',
    'INSERT INTO access_change (id, count) VALUES (1, 0)',
    `CREATE TABLE audit (
      id TEXT PRIMARY KEY,
      at BIGINT NOT NULL,
      account_id TEXT NOT NULL,
      account TEXT NOT NULL,
      actor TEXT NOT NULL,
      action TEXT NOT NULL,
      detail TEXT NOT NULL,
      address TEXT NOT NULL
    )`,
    'CREATE INDEX audit_of_account ON audit (account_id, at)',
    'CREATE INDEX audit_by_time ON audit (at)',
  ],
  [
    'CREATE TABLE pending (name TEXT PRIMARY KEY, content TEXT NOT NULL, expires_at BIGINT NOT NULL)',
    'CREATE INDEX pending_by_end ON pending (expires_at)',
    `CREATE TABLE passkey (
      id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      rp_id TEXT NOT NULL,
      name TEXT NOT NULL,
      public_key TEXT NOT NULL,
      counter BIGINT NOT NULL,
      transports TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      used_at BIGINT
    )`,
    'CREATE INDEX passkey_of_account ON passkey (account_id)',
  ],
  [
    `CREATE TABLE rotating_key (
      purpose TEXT NOT NULL,
      generation INTEGER NOT NULL,
      id TEXT NOT NULL,
      secret TEXT NOT NULL,
      published_at BIGINT NOT NULL,
      signs_from BIGINT NOT NULL,
      PRIMARY KEY (purpose, generation)
    )`,
    `INSERT INTO rotating_key (purpose, generation, id, secret, published_at, signs_from)
      SELECT 'signing',
        (SELECT COUNT(*) FROM signing_key AS other
          WHERE other.created_at < signing_key.created_at
          OR (other.created_at = signing_key.created_at AND other.kid <= signing_key.kid)),
        kid, jwk, created_at, created_at
      FROM signing_key`,
    'DROP TABLE signing_key',
  ],
  [
    `CREATE TABLE invitation (
      id TEXT PRIMARY KEY,
      token_name TEXT NOT NULL UNIQUE,
      note TEXT NOT NULL,
      is_admin INTEGER NOT NULL,
      creator_id TEXT REFERENCES account (id) ON DELETE CASCADE,
      creator TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      used_at BIGINT
    )`,
  ],
  [
    `CREATE TABLE telemetry (
      daemon_id TEXT PRIMARY KEY REFERENCES daemon (id) ON DELETE CASCADE,
      received_at BIGINT NOT NULL,
      version TEXT NOT NULL,
      health TEXT NOT NULL,
      instances INTEGER NOT NULL,
      running INTEGER NOT NULL,
      crashed INTEGER NOT NULL,
      players INTEGER NOT NULL,
      cpu_percent DOUBLE PRECISION NOT NULL,
      memory_used BIGINT NOT NULL,
      memory_total BIGINT NOT NULL,
      disk_free BIGINT,
      disk_total BIGINT,
      backup_at BIGINT,
      detail TEXT NOT NULL
    )`,
    `CREATE TABLE telemetry_sample (
      daemon_id TEXT NOT NULL REFERENCES daemon (id) ON DELETE CASCADE,
      at BIGINT NOT NULL,
      running INTEGER NOT NULL,
      players INTEGER NOT NULL,
      cpu_percent DOUBLE PRECISION NOT NULL,
      memory_used BIGINT NOT NULL,
      disk_free BIGINT,
      PRIMARY KEY (daemon_id, at)
    )`,
    'CREATE INDEX telemetry_sample_by_time ON telemetry_sample (at)',
    `CREATE TABLE telemetry_hour (
      daemon_id TEXT NOT NULL REFERENCES daemon (id) ON DELETE CASCADE,
      hour BIGINT NOT NULL,
      samples INTEGER NOT NULL,
      players_sum DOUBLE PRECISION NOT NULL,
      players_max INTEGER NOT NULL,
      cpu_sum DOUBLE PRECISION NOT NULL,
      cpu_max DOUBLE PRECISION NOT NULL,
      memory_sum DOUBLE PRECISION NOT NULL,
      memory_max BIGINT NOT NULL,
      PRIMARY KEY (daemon_id, hour)
    )`,
    'CREATE INDEX telemetry_hour_by_time ON telemetry_hour (hour)',
    `CREATE TABLE daemon_label (
      daemon_id TEXT NOT NULL REFERENCES daemon (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (daemon_id, name)
    )`,
  ],
  [
    `CREATE TABLE identity (
      issuer TEXT NOT NULL,
      subject TEXT NOT NULL,
      account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      label TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      PRIMARY KEY (issuer, subject),
      UNIQUE (account_id, issuer)
    )`,
  ],
  [
    'ALTER TABLE telemetry ADD COLUMN offline_since BIGINT',
    `CREATE TABLE alert_target (
      id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      kind TEXT NOT NULL,
      url TEXT NOT NULL,
      secret TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      hour BIGINT NOT NULL,
      sent INTEGER NOT NULL,
      failures INTEGER NOT NULL,
      result TEXT NOT NULL
    )`,
    'CREATE INDEX alert_target_of_account ON alert_target (account_id)',
    `CREATE TABLE alert (
      daemon_id TEXT NOT NULL REFERENCES telemetry (daemon_id) ON DELETE CASCADE,
      kind TEXT NOT NULL,
      subject TEXT NOT NULL,
      since BIGINT NOT NULL,
      PRIMARY KEY (daemon_id, kind, subject)
    )`,
    `CREATE TABLE alert_message (
      id TEXT PRIMARY KEY,
      target_id TEXT NOT NULL REFERENCES alert_target (id) ON DELETE CASCADE,
      body TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      next_at BIGINT NOT NULL
    )`,
    'CREATE INDEX alert_message_by_time ON alert_message (next_at)',
    'CREATE INDEX alert_message_of_target ON alert_message (target_id)',
  ],
  [
    `CREATE TABLE scrape_token (
      id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      token_name TEXT NOT NULL UNIQUE,
      created_at BIGINT NOT NULL
    )`,
    'CREATE INDEX scrape_token_of_account ON scrape_token (account_id)',
  ],
  [
    'CREATE TABLE replica (id TEXT PRIMARY KEY, url TEXT NOT NULL, seen_at BIGINT NOT NULL)',
    `CREATE TABLE link (
      daemon_id TEXT PRIMARY KEY,
      link_id TEXT NOT NULL,
      replica_id TEXT NOT NULL REFERENCES replica (id) ON DELETE CASCADE,
      former_link_id TEXT,
      former_replica_id TEXT
    )`,
    'CREATE INDEX link_of_replica ON link (replica_id)',
    `CREATE TABLE notice (
      id TEXT PRIMARY KEY,
      replica_id TEXT NOT NULL REFERENCES replica (id) ON DELETE CASCADE,
      content TEXT NOT NULL
    )`,
    'CREATE INDEX notice_of_replica ON notice (replica_id)',
  ],
  [
    `CREATE TABLE edge (
      suffix TEXT PRIMARY KEY,
      url TEXT NOT NULL,
      port INTEGER NOT NULL,
      first_udp_port INTEGER NOT NULL,
      last_udp_port INTEGER NOT NULL,
      most_tunnels INTEGER NOT NULL,
      seen_at BIGINT NOT NULL
    )`,
    `CREATE TABLE tunnel (
      id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      daemon_id TEXT NOT NULL REFERENCES daemon (id) ON DELETE CASCADE,
      instance TEXT NOT NULL,
      suffix TEXT NOT NULL,
      label TEXT NOT NULL,
      edition TEXT NOT NULL,
      udp_port INTEGER,
      is_suspended INTEGER NOT NULL,
      created_at BIGINT NOT NULL,
      used_at BIGINT NOT NULL,
      UNIQUE (daemon_id, instance),
      UNIQUE (suffix, label),
      UNIQUE (suffix, udp_port)
    )`,
    'CREATE INDEX tunnel_of_account ON tunnel (account_id)',
    `CREATE TABLE tunnel_name (
      suffix TEXT NOT NULL,
      label TEXT NOT NULL,
      account_id TEXT NOT NULL,
      free_at BIGINT,
      PRIMARY KEY (suffix, label)
    )`,
    `CREATE TABLE tunnel_usage (
      account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      month TEXT NOT NULL,
      bytes BIGINT NOT NULL,
      PRIMARY KEY (account_id, month)
    )`,
  ],
  [
    `CREATE TABLE panel_session (
      session_id TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
      daemon_id TEXT NOT NULL REFERENCES daemon (id) ON DELETE CASCADE,
      token_name TEXT NOT NULL UNIQUE,
      expires_at BIGINT NOT NULL,
      PRIMARY KEY (session_id, daemon_id)
    )`,
    'CREATE INDEX panel_session_of_daemon ON panel_session (daemon_id)',
  ],
  [
    'ALTER TABLE account ADD COLUMN alert_hour BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE account ADD COLUMN alert_count INTEGER NOT NULL DEFAULT 0',
  ],
  [
    'ALTER TABLE oauth_client ADD COLUMN account_id TEXT REFERENCES account (id) ON DELETE CASCADE',
    'CREATE INDEX oauth_client_of_account ON oauth_client (account_id)',
    'ALTER TABLE oauth_item ADD COLUMN client_id TEXT',
    'CREATE INDEX oauth_item_of_client ON oauth_item (client_id)',
  ],
];

/**
 * Migrates the database to this version, also if several proxies start at once. Throws if a newer version of Gamekeeper wrote it. An older version
 * had fewer `steps`.
 */
export async function migrate(database: Kysely<Tables>, steps = STEPS): Promise<void> {
  await createSchemaTable(database);
  await sql`INSERT INTO proxy_schema (id, steps) VALUES (1, 0) ON CONFLICT DO NOTHING`.execute(database);
  await database.transaction().execute(async (transaction) => {
    // Locks the row until the transaction ends: another proxy waits here, and then finds the steps done.
    const { rows } = await sql<{ steps: number }>`UPDATE proxy_schema SET steps = steps RETURNING steps`.execute(
      transaction,
    );
    const done = Number(rows[0]?.steps);
    if (done > steps.length) throw new Error('it was written by a newer version of Gamekeeper');
    for (const statement of steps.slice(done).flat()) await sql.raw(statement).execute(transaction);
    await sql`UPDATE proxy_schema SET steps = ${steps.length}`.execute(transaction);
  });
}

/** In PostgreSQL, one of two that create a table at once fails even so, but only when the other has created it. */
async function createSchemaTable(database: Kysely<Tables>): Promise<void> {
  const create = sql`CREATE TABLE IF NOT EXISTS proxy_schema (id INTEGER PRIMARY KEY, steps INTEGER NOT NULL)`;
  await create.execute(database).catch(() => create.execute(database));
}
