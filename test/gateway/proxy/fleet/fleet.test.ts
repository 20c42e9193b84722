/** The overview of an account, on both databases. */
import t from 'tap';
import { createFleet } from '../../../../gateway/proxy/fleet/fleet.ts';
import { fleetQuery, selectFleet } from '../../../../gateway/proxy/fleet/fleet-query.ts';
import { readHistory } from '../../../../gateway/proxy/fleet/history.ts';
import { parseLabels, setLabels, showLabels } from '../../../../gateway/proxy/fleet/labels.ts';
import { createTelemetryStore } from '../../../../gateway/proxy/fleet/telemetry/telemetry-store.ts';
import { toSeconds } from '../../../../gateway/proxy/store/database.ts';
import { withEachDatabase } from '../../../support/proxy/proxy-store.ts';
import { registeredDaemons } from '../../../support/proxy/registered-daemons.ts';
import { seedFleet } from '../../../support/proxy/seed-fleet.ts';
import { reportedInstance, telemetryReport } from '../../../support/proxy/telemetry-report.ts';

withEachDatabase(t, async (t, store) => {
  const { database, now } = store;
  const { accountId, register } = await registeredDaemons(store);
  const ben = await registeredDaemons(store, 'ben');
  const ids = await seedFleet(database, { account: 'anna', count: 1_000, at: toSeconds(now()) });
  const silent = await register('attic 7');
  const others = await ben.register('cellar');
  const fleet = createFleet({ database, connected: async (asked) => new Set(asked.filter((id) => id === ids[1])) });
  const find = async (query: Record<string, unknown>) =>
    selectFleet(await fleet.ofAccount(accountId), fleetQuery.parse(query));
  const names = async (query: Record<string, unknown>) => (await find(query)).daemons.map(({ name }) => name);

  await t.test('pages of 100, by name as people count', async (t) => {
    const first = await find({});
    t.match(first, { total: 1_001, page: 1, limit: 100, summary: { online: 1, servers: 1_000, crashed: 10 } });
    t.same((await names({})).slice(0, 3), ['attic 7', 'node-1', 'node-2']);
    t.same(await names({ page: 11 }), ['node-1000']);
    t.same(await names({ page: 12 }), []);
    t.same(await names({ sort: '-name', limit: 1 }), ['node-1000']);
  });

  await t.test('sorted, with what is not known at the end', async (t) => {
    t.same(await names({ sort: '-players', limit: 2 }), ['node-1000', 'node-999']);
    t.same(await names({ sort: 'players', limit: 2 }), ['node-1', 'node-2']);
    t.same(await names({ sort: 'players', page: 11 }), ['attic 7']);
    t.same(await names({ sort: '-players', page: 11 }), ['attic 7']);
    t.same(await names({ sort: 'backup', limit: 1 }), ['node-1000']);
    for (const sort of ['state', 'version', 'servers', 'cpu', '-memory', 'disk', '-seen'])
      t.equal((await find({ sort })).total, 1_001);
  });

  await t.test('searched, and filtered by label and state', async (t) => {
    t.equal((await find({ search: 'NODE-99' })).total, 11);
    t.equal((await find({ search: 'region=eu' })).total, 500);
    t.equal((await find({ label: 'region=eu' })).total, 500);
    t.equal((await find({ label: ['region', 'region=us'] })).total, 500);
    for (const label of ['tier', '__proto__', 'constructor']) t.equal((await find({ label })).total, 0, label);
    t.same(await names({ state: 'online' }), ['node-2']);
    t.equal((await find({ state: 'offline' })).total, 1_000);
    t.equal((await find({ state: 'crashed' })).total, 10);
    t.same(await names({ state: 'unreported' }), ['attic 7']);
    for (const wrong of [
      { sort: 'password' },
      { page: 0 },
      { limit: 501 },
      { state: 'x' },
      { search: 'x'.repeat(129) },
    ])
      t.notOk(fleetQuery.safeParse(wrong).success);
  });

  await t.test('nobody sees computers of another account', async (t) => {
    await t.rejects(fleet.find(others, accountId), { code: 'route_not_found' });
    t.match(await fleet.find(silent, accountId), { state: 'offline', telemetry: null, labels: {} });
    t.equal((await fleet.ofAccount(ben.accountId)).length, 1);
    t.match(await fleet.instances(ids[0]!), { more: 0, instances: [{ id: 'demo', players: 1, lastBackupAt: /^2/ }] });
  });

  await t.test('the owner sets labels', async (t) => {
    await setLabels(database, silent, parseLabels(' region = eu ,, tier=a=b'));
    const { labels } = await fleet.find(silent, accountId);
    t.same(labels, { region: 'eu', tier: 'a=b' });
    t.equal(showLabels(labels), 'region=eu, tier=a=b');
    await setLabels(database, silent, {});
    t.same((await fleet.find(silent, accountId)).labels, {});
    for (const text of ['Region=eu', '=x', `a=${'x'.repeat(65)}`, 'a=\u0007', 'x y=1'])
      t.throws(() => parseLabels(text), { code: 'invalid_request' }, text);
    t.throws(() => parseLabels(Array.from({ length: 17 }, (_, index) => `a${index}=1`).join(',')));
  });

  await t.test('history is averaged over ten minutes or an hour', async (t) => {
    const at = toSeconds(now()) - (toSeconds(now()) % 600);
    const report = (players: number) => telemetryReport({ instances: [reportedInstance({ players })] });
    await createTelemetryStore(database, now).write([
      { daemonId: silent, at: at - 1200, report: report(1) },
      { daemonId: silent, at: at - 600, report: report(2) },
      { daemonId: silent, at: at - 599, report: report(4) },
    ]);
    const recent = await readHistory(database, { daemonId: silent, range: '48h', now: now() });
    t.match(recent, { stepSeconds: 600, points: [{ players: 1 }, { players: 3, playersMax: 4, cpuPercent: 12.5 }] });
    const long = await readHistory(database, { daemonId: silent, range: '90d', now: now() });
    t.equal(Math.max(...long.points.map(({ playersMax }) => playersMax)), 4);
  });
});
