import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import t, { type Test } from 'tap';
import { createLogger } from '../../../../shared/node/logger.ts';
import { openDatabase } from '../../../../workers/jobs/resources/database.ts';
import { createScheduleTable, type StoredSchedule } from '../../../../workers/jobs/schedules/schedule-table.ts';
import { type Scheduler, startScheduler } from '../../../../workers/jobs/schedules/scheduler.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const SAVED = Date.parse('2026-11-20T03:00:00Z');
const MINUTE = 60_000;

function schedule(definition: Partial<StoredSchedule['definition']> = {}): StoredSchedule {
  return {
    instanceId: 'demo',
    instanceSince: '2026-11-01T00:00:00.000Z',
    definition: {
      id: 'nightly',
      name: 'Nightly',
      enabled: true,
      cron: '0 4 * * *',
      timeZone: 'UTC',
      action: { type: 'start' },
      condition: 'always',
      missed: { policy: 'skip', graceMinutes: 60 },
      ...definition,
    },
    owner: { username: 'command line', kind: 'local', scopes: ['servers:write'] },
    savedAt: new Date(SAVED).toISOString(),
    consideredAt: SAVED,
  };
}

/** A scheduler on a real database, with the test's clock. */
function scheduler(t: Test, schedules: StoredSchedule[]) {
  const file = path.join(temporaryFolder(t), 'gamekeeper.db');
  const database: DatabaseSync = openDatabase(file);
  t.teardown(() => database.close());
  const table = createScheduleTable(database);
  table.replace('demo', schedules);
  const told: string[] = [];
  const wanted: boolean[] = [];
  function running(time: number | (() => number)): Scheduler {
    return startScheduler({
      table,
      performer: {
        perform: async ({ definition }, at) => void told.push(`run ${definition.id} ${new Date(at).toISOString()}`),
        note: ({ definition }, at, { result }) =>
          void told.push(`${result} ${definition.id} ${new Date(at).toISOString()}`),
        callOff: () => undefined,
        close: async () => undefined,
      },
      now: () => new Date(typeof time === 'number' ? time : time()),
      onWanted: (is) => wanted.push(is),
      log: createLogger({ name: 'test', level: 'silent' }),
    });
  }

  /** Looks at the schedules once, like a new process. */
  function lookAt(time: number): string[] {
    told.length = 0;
    running(time).stop();
    return [...told];
  }
  return { table, lookAt, running, told, wanted, database };
}

const FOUR = Date.parse('2026-11-20T04:00:00Z');

t.test('a run starts once, across any number of looks and restarts', (t) => {
  const { lookAt } = scheduler(t, [schedule()]);
  t.same(lookAt(FOUR - 1000), []);
  t.same(lookAt(FOUR + 5), ['run nightly 2026-11-20T04:00:00.000Z']);
  t.same(lookAt(FOUR + 10), [], 'a killed process does not repeat it');
  t.same(lookAt(FOUR + 24 * 60 * MINUTE), ['run nightly 2026-11-21T04:00:00.000Z']);
  t.end();
});

t.test('of several missed times only the last is recorded or caught up', (t) => {
  const days = 5 * 24 * 60 * MINUTE;
  const skipping = scheduler(t, [schedule()]);
  t.same(skipping.lookAt(FOUR + days + 30 * MINUTE), ['missed nightly 2026-11-25T04:00:00.000Z']);
  t.same(skipping.lookAt(FOUR + days + 31 * MINUTE), []);
  const catching = scheduler(t, [schedule({ missed: { policy: 'run', graceMinutes: 60 } })]);
  t.same(catching.lookAt(FOUR + days + 30 * MINUTE), ['run nightly 2026-11-25T04:00:00.000Z']);
  t.end();
});

t.test('setting the clock back over a run does not repeat it', (t) => {
  const { lookAt } = scheduler(t, [schedule()]);
  lookAt(FOUR + 1000);
  t.same(lookAt(FOUR - 30 * MINUTE), []);
  t.same(lookAt(FOUR + 2000), []);
  t.same(lookAt(FOUR + 24 * 60 * MINUTE), ['run nightly 2026-11-21T04:00:00.000Z'], 'it continues the next day');
  t.end();
});

t.test('a clock that was years ahead is corrected', (t) => {
  const { lookAt } = scheduler(t, [{ ...schedule(), consideredAt: Date.parse('2036-01-01T00:00:00Z') }]);
  t.same(lookAt(FOUR - MINUTE), []);
  t.same(lookAt(FOUR + 1000), ['run nightly 2026-11-20T04:00:00.000Z']);
  t.end();
});

t.test('a change of one schedule does not compute the times of all others again', (t) => {
  const many = Array.from({ length: 1_000 }, (_, n) => schedule({ id: `s${n}`, cron: `${n % 60} 4 29 2 *` }));
  const { running, table } = scheduler(t, many);
  const cpuOf = (work: () => void) => {
    const before = process.threadCpuUsage();
    work();
    return process.threadCpuUsage(before).user;
  };
  let started: Scheduler | undefined;
  const first = cpuOf(() => {
    started = running(SAVED);
  });
  table.replace('demo', [...many.slice(1), schedule({ cron: '5 4 * * *' })]);
  const again = cpuOf(() => started?.wake());
  started?.stop();
  t.ok(again < first / 2, `${again} of ${first} microseconds`);
  t.end();
});

t.test('a schedule whose time was changed runs at the new time only', (t) => {
  const { running, table, told } = scheduler(t, [schedule()]);
  const clock = { now: FOUR - 10 * MINUTE };
  const started = running(() => clock.now);
  table.replace('demo', [{ ...schedule({ cron: '55 3 * * *' }), consideredAt: clock.now }]);
  started.wake();
  clock.now = FOUR - 5 * MINUTE;
  started.wake();
  clock.now = FOUR;
  started.wake();
  started.stop();
  t.same(told, ['run nightly 2026-11-20T03:55:00.000Z']);
  t.end();
});

t.test('disabled schedules do nothing and do not keep the process needed', (t) => {
  const { lookAt, wanted } = scheduler(t, [schedule({ enabled: false })]);
  t.same(lookAt(FOUR + 5), []);
  t.same(wanted, [false]);
  t.same(scheduler(t, [schedule()]).lookAt(SAVED), []);
  t.end();
});

t.test('a run that cannot be recorded, as on a full disk, is retried and delays no other', (t) => {
  const { lookAt, database } = scheduler(t, [schedule(), schedule({ id: 'other' })]);
  database.exec(`CREATE TRIGGER full BEFORE UPDATE ON schedule WHEN NEW.schedule_id = 'nightly'
    BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`);
  t.same(lookAt(FOUR + 5), ['run other 2026-11-20T04:00:00.000Z']);
  database.exec('DROP TRIGGER full');
  t.same(lookAt(FOUR + 10), ['run nightly 2026-11-20T04:00:00.000Z']);
  t.end();
});
