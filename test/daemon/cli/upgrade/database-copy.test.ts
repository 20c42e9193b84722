import { chownSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { copyDatabase, restoreDatabase, schemaOf } from '../../../../daemon/cli/upgrade/database-copy.ts';
import { SCHEMA } from '../../../../daemon/store/migrations.ts';
import { openStore } from '../../../../daemon/store/store.ts';
import { JOBS_SCHEMA } from '../../../../shared/contract/jobs-schema.ts';
import { homeAt } from '../../../../shared/node/files/home.ts';
import { openDatabase } from '../../../../workers/jobs/resources/database.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

t.test('the copy is complete and private, and replaces a migrated database', async (t) => {
  const home = homeAt(temporaryFolder(t));
  const store = openStore(home.database);
  const { daemonId } = store.meta;
  store[Symbol.dispose]();
  t.same(schemaOf(home.database), { schema: SCHEMA, jobsSchema: 0 });
  openDatabase(home.database).close();
  t.same(
    schemaOf(home.database),
    { schema: SCHEMA, jobsSchema: JOBS_SCHEMA },
    'includes the steps of the jobs process',
  );
  writeFileSync(`${home.database}.before-upgrade.new`, 'of a copy that was broken off');
  writeFileSync(`${home.database}.before-upgrade`, 'of the upgrade before');
  const copy = await copyDatabase(home);
  t.equal(statSync(copy).mode & 0o777, 0o600);
  if (process.getuid?.() === 0) {
    for (const suffix of ['', '-wal', '-shm'].filter((one) => existsSync(home.database + one)))
      chownSync(home.database + suffix, 65534, 65534);
    t.match(statSync(await copyDatabase(home)), { uid: 65534, gid: 65534 }, 'root keeps the owner of the database');
    const left = readdirSync(home.root).map((name) => statSync(join(home.root, name)).uid);
    t.same(new Set(left), new Set([65534]), 'no files of root are left');
  }

  const newer = new DatabaseSync(home.database);
  newer.exec(`UPDATE daemon_schema SET steps = ${SCHEMA + 1}; UPDATE meta SET value = 'other' WHERE key = 'daemonId'`);
  const log = readFileSync(`${home.database}-wal`);
  newer.close();
  t.throws(() => openStore(home.database), /newer version/);
  // The files of a daemon that was killed.
  writeFileSync(`${home.database}-wal`, log);
  await restoreDatabase(home, copy);
  const restored = openStore(home.database);
  t.equal(restored.meta.daemonId, daemonId);
  restored[Symbol.dispose]();
});
