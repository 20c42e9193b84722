/** What daemons report is checked, kept for a while, and forgotten when they say so; on both databases. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { createIntake } from '../../../../../gateway/proxy/fleet/telemetry/intake.ts';
import { createTelemetryStore } from '../../../../../gateway/proxy/fleet/telemetry/telemetry-store.ts';
import { createLogger } from '../../../../../shared/node/logger.ts';
import { withEachDatabase } from '../../../../support/proxy/proxy-store.ts';
import { registeredDaemons } from '../../../../support/proxy/registered-daemons.ts';
import { asMessage, reportedInstance, telemetryReport } from '../../../../support/proxy/telemetry-report.ts';

const HOUR_MS = 3_600_000;
const log = createLogger({ name: 'proxy', level: 'silent' });

withEachDatabase(t, async (t, store) => {
  const { database, now, clock } = store;
  const telemetry = createTelemetryStore(database, now);
  const intake = createIntake({ store: telemetry, log, now });
  const { daemons, accountId, register } = await registeredDaemons(store);
  const latest = (id: string) =>
    database.selectFrom('telemetry').selectAll().where('daemon_id', '=', id).executeTakeFirst();
  const samples = (id: string) =>
    database.selectFrom('telemetry_sample').selectAll().where('daemon_id', '=', id).orderBy('at').execute();
  const hours = (id: string) =>
    database.selectFrom('telemetry_hour').selectAll().where('daemon_id', '=', id).orderBy('hour').execute();

  await t.test('the last report, samples and hours are kept', async (t) => {
    const id = await register('Attic');
    clock.ahead += HOUR_MS - (now() % HOUR_MS);
    for (const players of [1, 4]) {
      intake.receive(id, asMessage(telemetryReport({ instances: [reportedInstance({ players, backupAge: 60 })] })));
      await intake.settled();
      clock.ahead += 15_000;
    }
    const row = await latest(id);
    t.match(row, { players: 4, running: 1, crashed: 0, health: 'ok', version: '2.0.0', cpu_percent: 12.5 });
    t.equal(row?.backup_at, Number(row?.received_at) - 60);
    t.match(
      (await samples(id)).map(({ players }) => players),
      [1, 4],
    );
    t.match(await hours(id), [{ samples: 2, players_sum: 5, players_max: 4, cpu_sum: 25 }]);
  });

  await t.test('hostile reports are dropped, and so is everything too often', async (t) => {
    const id = await register('Hostile');
    for (const text of [
      Buffer.from('{'),
      Buffer.alloc(70_000, ' '),
      asMessage({ ...telemetryReport(), cpuPercent: -1 }),
      asMessage({ ...telemetryReport(), version: '<script>' }),
      asMessage({ ...telemetryReport(), memory: { usedBytes: 2 ** 60, totalBytes: 1 } }),
      asMessage(telemetryReport({ instances: [reportedInstance({ name: 'a\0b' })] })),
      asMessage(telemetryReport({ instances: Array(101).fill(reportedInstance()) })),
    ]) {
      intake.receive(id, text);
      clock.ahead += 10_000;
    }
    await intake.settled();
    t.equal(await latest(id), undefined);
    clock.ahead += HOUR_MS;
    for (let count = 0; count < 100; count++) {
      intake.receive(id, asMessage(telemetryReport()));
      await intake.settled();
      clock.ahead += 1_000;
    }
    t.ok((await samples(id)).length <= 20, `${(await samples(id)).length} of 100 reports in 100 s`);
  });

  await t.test('the largest values can be read again', async (t) => {
    const id = await register('Huge');
    const most = 2 ** 53 - 1;
    for (let count = 0; count < 3; count++) {
      clock.ahead += 15_000;
      intake.receive(id, asMessage(telemetryReport({ memory: { usedBytes: most, totalBytes: most } })));
      await intake.settled();
    }
    t.match(await latest(id), { memory_used: most });
    t.match(await hours(id), [{ memory_max: most }]);
  });

  await t.test('turning it off deletes everything, also what arrived just before', async (t) => {
    const id = await register('Private');
    intake.receive(id, asMessage(telemetryReport()));
    await intake.settled();
    clock.ahead += 15_000;
    intake.receive(id, asMessage(telemetryReport()));
    intake.receive(id, asMessage({ type: 'telemetry-off' }));
    await intake.settled();
    t.same([await latest(id), await samples(id), await hours(id)], [undefined, [], []]);
    intake.receive(id, asMessage({ type: 'telemetry-off' }));
    clock.ahead += 15_000;
    intake.receive(id, asMessage(telemetryReport()));
    await intake.settled();
    t.ok(await latest(id), 'on again');
  });

  await t.test('a report of a removed daemon does not keep others from being stored', async (t) => {
    const [kept, removed] = [await register('Kept'), await register('Removed')];
    intake.receive(removed, asMessage(telemetryReport()));
    await intake.settled();
    await daemons.remove(removed, accountId);
    t.equal(await latest(removed), undefined, 'removed with the daemon');
    clock.ahead += 15_000;
    for (const id of [kept, removed, randomUUID()]) intake.receive(id, asMessage(telemetryReport()));
    await intake.settled();
    t.ok(await latest(kept));
  });

  await t.test('a thousand daemons report at once, to two replicas', async (t) => {
    const ids = await Promise.all(Array.from({ length: 1_000 }, (_, index) => register(`d${index}`)));
    const other = createIntake({ store: createTelemetryStore(await store.again(), now), log, now });
    for (const [index, id] of ids.entries()) {
      const report = asMessage(telemetryReport());
      intake.receive(id, report);
      if (index % 2 === 0) other.receive(id, report);
    }
    await Promise.all([intake.settled(), other.settled()]);
    const { count } = await database
      .selectFrom('telemetry')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('daemon_id', 'in', ids)
      .executeTakeFirstOrThrow();
    t.equal(Number(count), 1_000);
  });

  await t.test('samples are deleted after two days, hours after 90', async (t) => {
    const id = await register('Old');
    intake.receive(id, asMessage(telemetryReport()));
    await intake.settled();
    clock.ahead += 49 * HOUR_MS;
    await telemetry.removeOld();
    t.same([(await samples(id)).length, (await hours(id)).length], [0, 1]);
    clock.ahead += 90 * 24 * HOUR_MS;
    await telemetry.removeOld();
    t.same(await hours(id), []);
  });
});
