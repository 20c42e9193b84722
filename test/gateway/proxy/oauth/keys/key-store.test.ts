/** Keys in the database, on both engines. */
import { sql } from 'kysely';
import t from 'tap';
import { createKeyStore } from '../../../../../gateway/proxy/oauth/keys/key-store.ts';
import { createLiveKeys } from '../../../../../gateway/proxy/oauth/keys/live-keys.ts';
import { createVault } from '../../../../../gateway/proxy/store/vault.ts';
import { createLogger } from '../../../../../shared/node/logger.ts';
import { until } from '../../../../support/machine/until.ts';
import { withEachDatabase } from '../../../../support/proxy/proxy-store.ts';

const DAY_MS = 86_400_000;

withEachDatabase(t, async (t, store) => {
  const [keys, other] = [createKeyStore(store), createKeyStore({ ...store, database: await store.again() })];
  const states = async () => (await keys.read('signing')).map(({ generation, state }) => `${generation} ${state}`);

  await t.test('several replicas that start at once make one key', async (t) => {
    const read = await Promise.all([keys, other, keys, other].map((one) => one.read('signing')));
    t.same(new Set(read.flat().map(({ id }) => id)).size, 1);
    t.same(await states(), ['1 signing']);
  });

  await t.test('a database holds no key that can be read, and another secret is noticed', async (t) => {
    const [key] = await keys.read('signing');
    const { d } = JSON.parse(key?.secret ?? '') as { d: string };
    const rows = await store.database.selectFrom('rotating_key').selectAll().execute();
    t.notOk(JSON.stringify(rows).includes(d));
    const vault = createVault('another secret for tests, long enough as well');
    await t.rejects(createKeyStore({ ...store, vault }).read('signing'), {
      name: 'StartupError',
      message: /another secret/,
    });
    t.same(await states(), ['1 signing'], 'and no new key is made');
  });

  await t.test('of many rotations at once one counts, and the next is refused until it signs', async (t) => {
    await Promise.all([keys, other, keys, other].map((one) => one.rotate('signing')));
    t.same(await states(), ['1 signing', '2 next']);
    await other.rotate('signing');
    t.same(await states(), ['1 signing', '2 next']);
    store.clock.ahead += DAY_MS;
    t.same(await states(), ['2 signing', '1 previous']);
    store.clock.ahead += DAY_MS;
    t.same(await states(), ['2 signing']);
  });

  await t.test('keys that are due are rotated, and retired ones deleted', async (t) => {
    await Promise.all([keys.keepUp(), other.keepUp()]);
    const left = await sql<{ count: number }>`SELECT COUNT(*) AS count FROM rotating_key
      WHERE purpose = 'signing'`.execute(store.database);
    t.equal(Number(left.rows[0]?.count), 1);
    store.clock.ahead += 90 * DAY_MS;
    await Promise.all([keys.keepUp(), other.keepUp()]);
    t.same(await states(), ['2 signing', '3 next']);
  });

  await t.test('a running proxy follows, and tells what depends on it', async (t) => {
    const live = await createLiveKeys(other);
    const before = live.ring;
    let changes = 0;
    live.onChange(() => changes++);
    await keys.replaceAll();
    t.same(live.ring, before);
    const stop = live.follow(createLogger({ name: 'test', level: 'silent' }));
    t.teardown(stop);
    await until('the keys are the new ones', () => live.ring !== before);
    t.equal(changes, 1);
    t.same(live.ring.signing.length, 1);
    t.notMatch(live.ring.signing[0]?.kid, before.signing[0]?.kid);
    t.notMatch(live.ring.cookies[0], before.cookies[0]);
    t.equal(await live.refresh(), false, 'strangers cannot have them read all the time');
  });
});
