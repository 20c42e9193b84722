/** The database of the proxy: migrations, and what both engines must do alike. */

import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import t from 'tap';
import { createAccounts } from '../../../../gateway/proxy/accounts/accounts.ts';
import { checkDatabase, isDatabaseAway, openDatabase } from '../../../../gateway/proxy/store/database.ts';
import { StartupError } from '../../../../shared/node/processes/startup-error.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';
import { startPostgres } from '../../../support/proxy/postgres.ts';
import { withEachDatabase } from '../../../support/proxy/proxy-store.ts';

withEachDatabase(t, async (t, { database, again, now }) => {
  const accounts = createAccounts(database, now);
  const { id } = await accounts.add({ name: 'Anna', passwordHash: 'x', isAdmin: true });

  const other = await again();
  await checkDatabase(other);
  t.match(await createAccounts(other, now).find(id), { name: 'Anna', isAdmin: true }, 'another process sees it');
  const { created_at } = await other.selectFrom('account').select('created_at').executeTakeFirstOrThrow();
  t.type(created_at, 'number', 'times are numbers');

  await t.rejects(
    database.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('account').execute();
      throw new Error('changed my mind');
    }),
    { message: 'changed my mind' },
  );
  t.ok(await accounts.find(id), 'a transaction that fails is undone');

  await sql`UPDATE proxy_schema SET steps = 1000`.execute(database);
  await t.rejects(again(), { name: 'StartupError', message: /newer version/ });
});

t.test('several proxies may migrate a new PostgreSQL database at once', async (t) => {
  const postgres = await startPostgres(t);
  if (!postgres) return;
  // Several times, because it is a race.
  for (let round = 0; round < 5; round++) {
    const url = await postgres.database();
    const opened = await Promise.all(
      Array.from({ length: 4 }, () => openDatabase({ file: '', url, onError: () => undefined })),
    );
    await Promise.all(opened.map(checkDatabase));
    await Promise.all(opened.map((database) => database.destroy()));
    t.equal(opened.length, 4);
  }
});

t.test('transactions of two processes on one file wait for each other', async (t) => {
  const file = path.join(temporaryFolder(t), 'proxy.db');
  const database = await openDatabase({ file, url: undefined, onError: () => undefined });
  t.teardown(() => database.destroy());
  const other = new DatabaseSync(file);
  t.teardown(() => other.close());
  other.exec("INSERT INTO revoked_grant (grant_id, revoked_at) VALUES ('a', 1)");
  await database.transaction().execute(async (transaction) => {
    t.equal((await transaction.selectFrom('revoked_grant').selectAll().execute()).length, 1);
    t.throws(() => other.exec("INSERT INTO revoked_grant (grant_id, revoked_at) VALUES ('b', 1)"), /locked/);
    await transaction.deleteFrom('revoked_grant').execute();
  });
  t.equal((await database.selectFrom('revoked_grant').selectAll().execute()).length, 0);
});

t.test('a database that cannot be used is named', async (t) => {
  const folder = temporaryFolder(t);
  const file = await openDatabase({ file: folder, url: undefined, onError: () => undefined }).catch((error) => error);
  t.ok(file instanceof StartupError || file.code === 'EISDIR');
  await t.rejects(openDatabase({ file: '', url: 'postgres://nobody@127.0.0.1:1/none', onError: () => undefined }), {
    name: 'StartupError',
    message: /PostgreSQL database of DATABASE_URL cannot be used/,
  });
});

t.test('PostgreSQL that goes away in the middle of a transaction ends that, and not the process', async (t) => {
  const postgres = await startPostgres(t);
  if (!postgres) return;
  const database = await openDatabase({ file: '', url: await postgres.database(), onError: () => undefined });
  t.teardown(() => database.destroy());
  const failure = await database
    .transaction()
    .execute(async (transaction) => {
      await checkDatabase(transaction);
      await postgres.stop();
      await until('the loss is noticed', () =>
        checkDatabase(transaction).then(
          () => false,
          () => true,
        ),
      );
      await checkDatabase(transaction);
    })
    .catch((error: unknown) => error);
  t.ok(isDatabaseAway(failure), String(failure));
  await postgres.start();
  await t.resolves(checkDatabase(database));
});

t.test('a PostgreSQL that hangs is given up, and used again when it works', async (t) => {
  const postgres = await startPostgres(t);
  if (!postgres) return;
  const database = await openDatabase({ file: '', url: await postgres.database(), onError: () => undefined });
  t.teardown(() => database.destroy());
  await checkDatabase(database);
  postgres.signal('SIGSTOP');
  const failures = await Promise.allSettled([
    checkDatabase(database),
    database.transaction().execute((transaction) => checkDatabase(transaction)),
    // More than there are connections.
    ...Array.from({ length: 20 }, () => checkDatabase(database)),
  ]).finally(() => postgres.signal('SIGCONT'));
  for (const failure of failures) {
    t.equal(failure.status, 'rejected');
    t.ok(failure.status === 'rejected' && isDatabaseAway(failure.reason), String(failure));
  }
  await checkDatabase(database);
});
