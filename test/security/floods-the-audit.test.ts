/**
 * However much is done at once, all of it is written down, nothing is sent again and again, and nothing stands still (CVE-2026-21696 of
 * Wings: more activity than fits into one statement of SQLite made the same batch come back for ever).
 */

import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { startGamekeeper } from '../support/gamekeeper.ts';
import { signedInAdmin } from '../support/signed-in-user.ts';
import { until } from '../support/until.ts';

/** Six columns or more each: beyond 32,766 parameters of one statement, had they all been in one. */
const CHANGES = 6_000;
const AT_ONCE = 200;

t.test('thousands of changes within seconds, each written once', async (t) => {
  const gamekeeper = await startGamekeeper(t, { settings: { limits: { requestsPerSecond: 1e6, burst: 1e6 } } });
  const admin = await signedInAdmin(gamekeeper);
  const authorization = `Bearer ${await gamekeeper.token()}`;
  const url = new URL('/instances/nowhere/start', gamekeeper.addresses().panel);
  let left = CHANGES;
  const statuses = new Set<number>();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) {
        const answer = await fetch(url, { method: 'POST', headers: { authorization } });
        statuses.add(answer.status);
        await answer.arrayBuffer();
      }
    }),
  );
  t.same([...statuses], [404]);
  await until('all of them are written', () => count() === CHANGES, { describe: count });
  const health = await admin.api('GET', '/health');
  t.equal(health.status, 200);
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
  const page = await admin.api<{ entries: { path: string }[] }>('GET', '/api/audit?limit=5');
  t.match(page.body.entries[0], { path: '/instances', status: 201 }, 'what comes after is there at once');
  t.equal(count(), CHANGES, 'none came twice');

  function count(): number {
    const database = new DatabaseSync(path.join(gamekeeper.home, 'gamekeeper.db'), { readOnly: true });
    try {
      return Number(
        database.prepare("SELECT count(*) AS n FROM audit WHERE path = '/instances/nowhere/start'").get()?.n,
      );
    } finally {
      database.close();
    }
  }
});
