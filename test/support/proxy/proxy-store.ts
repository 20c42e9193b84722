import path from 'node:path';
import type { Test } from 'tap';
import { type Database, openDatabase } from '../../../gateway/proxy/store/database.ts';
import { createVault, type Vault } from '../../../gateway/proxy/store/vault.ts';
import { temporaryFolder } from '../machine/temporary-folder.ts';
import { startPostgres } from './postgres.ts';

export interface TestStore {
  database: Database;
  vault: Vault;
  /** Milliseconds. */
  now: () => number;
  /** Milliseconds to add to the clock. */
  clock: { ahead: number };
  /** Opens the same database once more, as another process would. */
  again: () => Promise<Database>;
}

/** Runs the same test with a new database of each kind that the proxy supports. */
export async function withEachDatabase(t: Test, test: (t: Test, store: TestStore) => Promise<void>): Promise<void> {
  await t.test('SQLite', async (t) => {
    const file = path.join(temporaryFolder(t), 'proxy.db');
    await test(t, await openTestStore(t, file, undefined));
  });
  await t.test('PostgreSQL', async (t) => {
    const postgres = await startPostgres(t);
    if (postgres) await test(t, await openTestStore(t, '', await postgres.database()));
  });
}

async function openTestStore(t: Test, file: string, url: string | undefined): Promise<TestStore> {
  const opened: Database[] = [];
  const open = async () => {
    const database = await openDatabase({ file, url, onError: () => undefined });
    opened.push(database);
    return database;
  };
  t.teardown(() => Promise.all(opened.map((database) => database.destroy())));
  const clock = { ahead: 0 };
  return {
    database: await open(),
    vault: createVault('a secret for tests, which is long enough for them'),
    now: () => Date.now() + clock.ahead,
    clock,
    again: open,
  };
}
