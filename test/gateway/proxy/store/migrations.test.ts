/** A database of each former version is migrated with what is in it. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { Kysely, sql } from 'kysely';
import t, { type Test } from 'tap';
import { createAccounts } from '../../../../gateway/proxy/accounts/accounts.ts';
import { createDaemons } from '../../../../gateway/proxy/daemons/directory.ts';
import { openDatabase } from '../../../../gateway/proxy/store/database.ts';
import { migrate, STEPS } from '../../../../gateway/proxy/store/migrations.ts';
import { postgresDialect } from '../../../../gateway/proxy/store/postgres.ts';
import type { Tables } from '../../../../gateway/proxy/store/schema.ts';
import { sqliteDialect } from '../../../../gateway/proxy/store/sqlite.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { startPostgres } from '../../../support/proxy/postgres.ts';

/** The first characters of the SHA-256 of each step. A new step adds one; the others never change. */
const RELEASED = [
  '177ac51d1b32',
  'cf52e8157156',
  '925818b72e9f',
  'e5c3a49ec9d8',
  '730da489236d',
  'b29d38a33291',
  'b65e1c7295d7',
  'af05d72fe72f',
  '2026f703a92e',
  'df2eb06dfed4',
  '98cde678cc21',
  '4e1902b30d28',
  '90b6e135a993',
  'b05dd6c18c18',
  '6e177473a651',
  '6387913cc5d8',
];
/** The steps that add the first tables, replace `signing_key`, and add `telemetry`. */
const KEYS_REPLACED_BY = 6;
const TELEMETRY_SINCE = 8;

const CONTENT = [
  `INSERT INTO account (id, name, name_key, password_hash, is_admin, created_at) VALUES ('anna', 'Anna', 'anna', 'x', 1, 1)`,
  `INSERT INTO session (id, token_name, account_id, created_at, seen_at, expires_at, user_agent, address)
    VALUES ('s', 'n', 'anna', 1, 2, 3, 'Firefox', '127.0.0.1')`,
  `INSERT INTO oauth_client (id, name, payload, created_at) VALUES ('bot', 'Bot', '{}', 1)`,
  `INSERT INTO daemon (id, account_id, name, public_key, scopes, created_at) VALUES ('d', 'anna', 'Attic', '{}', '["servers:read"]', 1)`,
];
const KEYS = ['older', 'newer'].map(
  (kid, index) => `INSERT INTO signing_key (kid, jwk, created_at) VALUES ('${kid}', 'sealed ${kid}', ${index + 1})`,
);
const TELEMETRY = `INSERT INTO telemetry (daemon_id, received_at, version, health, instances, running, crashed, players,
  cpu_percent, memory_used, memory_total, detail) VALUES ('d', 1, '1.0.0', 'ok', 1, 1, 0, 0, 0.5, 1, 2, '{}')`;

interface Place {
  file: string;
  url: string | undefined;
}

/** Creates a database as the version with so many steps did, with something in its tables. */
async function createFormer({ file, url }: Place, steps: number): Promise<void> {
  const dialect = url === undefined ? sqliteDialect(file) : await postgresDialect({ url, onError: () => undefined });
  const database = new Kysely<Tables>({ dialect });
  await migrate(database, STEPS.slice(0, steps));
  const content = [
    ...CONTENT,
    ...(steps < KEYS_REPLACED_BY ? KEYS : []),
    ...(steps >= TELEMETRY_SINCE ? [TELEMETRY] : []),
  ];
  for (const statement of content) await sql.raw(statement).execute(database);
  await database.destroy();
}

async function migratesEach(t: Test, former: number[], place: (steps: number) => Promise<Place>): Promise<void> {
  for (const steps of former) {
    const at = await place(steps);
    await createFormer(at, steps);
    const database = await openDatabase({ ...at, onError: () => undefined });
    const account = await createAccounts(database, Date.now).find('anna');
    t.match(account, { name: 'Anna', isAdmin: true }, `${steps} steps: the account`);
    t.match(await createDaemons(database, Date.now).find('d'), { name: 'Attic', accountId: 'anna' }, 'its computer');
    const count = async (table: 'session' | 'oauth_client' | 'telemetry') =>
      (await database.selectFrom(table).selectAll().execute()).length;
    t.same([await count('session'), await count('oauth_client')], [1, 1], 'session and program');
    t.equal(await count('telemetry'), steps >= TELEMETRY_SINCE ? 1 : 0, 'what it has reported');
    const keys = await database
      .selectFrom('rotating_key')
      .select(['generation', 'id', 'secret'])
      .orderBy('id')
      .execute();
    const kept = [
      { generation: 2, id: 'newer', secret: 'sealed newer' },
      { generation: 1, id: 'older', secret: 'sealed older' },
    ];
    t.same(keys, steps < KEYS_REPLACED_BY ? kept : [], 'keys that have signed tokens');
    await database.destroy();
  }
}

t.test('SQLite', async (t) => {
  const folder = temporaryFolder(t);
  await migratesEach(t, [...STEPS.keys()].slice(1), async (steps) => ({
    file: path.join(folder, `${steps}.db`),
    url: undefined,
  }));
});

t.test('PostgreSQL', async (t) => {
  const postgres = await startPostgres(t);
  // Creating one takes a second. Each change of a table that has rows is in the way of one of these.
  const former = [1, TELEMETRY_SINCE];
  if (postgres) await migratesEach(t, former, async () => ({ file: '', url: await postgres.database() }));
});

t.test('a released step never changes', async (t) => {
  t.same(
    STEPS.map((step) => createHash('sha256').update(JSON.stringify(step)).digest('hex').slice(0, 12)),
    RELEASED,
  );
});
