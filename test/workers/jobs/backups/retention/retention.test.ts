import fc from 'fast-check';
import t from 'tap';
import type { RetentionSettings } from '../../../../../shared/schema/backup-settings.ts';
import { backupsToRemove, type RetainedBackup } from '../../../../../workers/jobs/backups/retention/retention.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function backup(at: string | number, more: Partial<RetainedBackup> = {}): RetainedBackup {
  const createdAt = typeof at === 'string' ? Date.parse(at) : at;
  const backupId = new Date(createdAt).toISOString();
  return { backupId, createdAt, reason: 'manual', pinned: false, damaged: false, busy: false, ...more };
}

/** Returns the backups that stay, oldest first, by day and hour. */
function kept(backups: RetainedBackup[], rules: RetentionSettings): string[] {
  const gone = new Set(backupsToRemove(backups, rules, NOW));
  return backups.filter((one) => !gone.has(one)).map(({ backupId }) => backupId.slice(0, 13));
}

t.test('without rules nothing is removed', async (t) => {
  const old = Array.from({ length: 50 }, (_, n) => backup(NOW - n * 100 * DAY, { reason: 'before-restore' }));
  t.same(backupsToRemove(old, {}, NOW), []);
});

t.test('`count` keeps the newest, in any order of input', async (t) => {
  const three = ['2026-11-02T03:00Z', '2026-11-01T03:00Z', '2026-11-03T03:00Z'].map((at) => backup(at));
  t.same(kept(three, { count: 2 }), ['2026-11-02T03', '2026-11-03T03']);
});

t.test('`days` keeps backups up to that age', async (t) => {
  const some = [backup(NOW - 2 * DAY - 1), backup(NOW - 2 * DAY), backup(NOW - DAY)];
  t.same(backupsToRemove(some, { days: 2 }, NOW), [some[0]]);
});

t.test('`daily`, `weekly` and `monthly` keep the newest backup of each period that has one', async (t) => {
  const hourly = Array.from({ length: 100 * 24 }, (_, n) => backup(NOW - (100 * 24 - 1 - n) * HOUR));
  t.same(kept(hourly, { daily: 2, weekly: 3, monthly: 4 }), [
    '2026-08-31T23', // the last of August
    '2026-09-30T23',
    '2026-10-31T23',
    '2026-11-08T23', // a Sunday
    '2026-11-15T23', // a Sunday
    '2026-11-19T23',
    '2026-11-20T12', // the newest: of its day, week and month
  ]);
});

t.test('periods without a backup do not count', async (t) => {
  const sparse = ['2026-01-05T03:00Z', '2026-06-05T03:00Z', '2026-06-05T09:00Z'].map((at) => backup(at));
  t.same(kept(sparse, { daily: 2 }), ['2026-01-05T03', '2026-06-05T09']);
});

t.test('a damaged backup takes no place of another and expires like any other', async (t) => {
  const some = [
    backup('2026-11-01T03:00Z', { damaged: true }),
    backup('2026-11-02T03:00Z'),
    backup('2026-11-03T03:00Z', { damaged: true }),
    backup('2026-11-04T03:00Z'),
    backup('2026-11-05T03:00Z', { damaged: true }),
  ];
  t.same(kept(some, { count: 2 }), ['2026-11-02T03', '2026-11-04T03', '2026-11-05T03']);
});

t.test('a backup from the future stays and takes no place of another: the clock was set back', async (t) => {
  const future = backup(NOW + 30 * DAY);
  const some = [backup(NOW - DAY), backup(NOW), future];
  t.same(backupsToRemove(some, { count: 1 }, NOW), [some[0]], 'a backup from the future does not push out a new one');
  t.same(
    backupsToRemove(some, { count: 1 }, future.createdAt),
    [some[1], some[0]],
    'it counts once the clock has caught up',
  );
  t.same(backupsToRemove([backup(NOW + DAY), future], { count: 1 }, NOW), []);
});

t.test('the last good backup stays at any age', async (t) => {
  const good = backup('2020-01-01T03:00Z');
  const damaged = backup('2020-01-02T03:00Z', { damaged: true });
  t.same(kept([good, damaged], { days: 1 }), ['2020-01-01T03']);
});

t.test('safety backups of restores have a rule of their own and do not count as others', async (t) => {
  const safety = Array.from({ length: 5 }, (_, n) => backup(NOW - n * DAY, { reason: 'before-restore' }));
  const manual = backup(NOW - 30 * DAY);
  t.same(backupsToRemove([...safety, manual], { count: 1 }, NOW), safety.slice(3));
});

const anyBackup: fc.Arbitrary<RetainedBackup> = fc.record({
  backupId: fc.uuid(),
  createdAt: fc.integer({ min: NOW - 400 * DAY, max: NOW }),
  reason: fc.constantFrom('manual', 'schedule', 'before-restore'),
  pinned: fc.boolean(),
  damaged: fc.boolean(),
  busy: fc.boolean(),
});
const anyBackups = fc.uniqueArray(anyBackup, { selector: ({ backupId }) => backupId, maxLength: 60 });
const limit = fc.option(fc.integer({ min: 1, max: 10 }), { nil: undefined });
const anyRules = fc
  .record({ count: limit, days: limit, daily: limit, weekly: limit, monthly: limit })
  .map(
    (rules) =>
      Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined)) as RetentionSettings,
  );

function rest(backups: readonly RetainedBackup[], rules: RetentionSettings): RetainedBackup[] {
  const gone = new Set(backupsToRemove(backups, rules, NOW));
  return backups.filter((one) => !gone.has(one));
}

t.test('for any backups and rules, pinned, busy and one good backup stay', async () => {
  fc.assert(
    fc.property(anyBackups, anyRules, (backups, rules) => {
      const left = rest(backups, rules);
      const hadGood = backups.some(({ damaged }) => !damaged);
      return (
        backups.filter(({ pinned, busy }) => pinned || busy).every((one) => left.includes(one)) &&
        (!hadGood || left.some(({ damaged }) => !damaged))
      );
    }),
  );
});

t.test('for any backups and rules, a second run removes nothing more', async () => {
  fc.assert(
    fc.property(anyBackups, anyRules, (backups, rules) => {
      const left = rest(backups, rules);
      return backupsToRemove(left, rules, NOW).length === 0;
    }),
  );
});

t.test('for any backups, one more rule never removes more', async () => {
  fc.assert(
    fc.property(anyBackups, anyRules, anyRules, (backups, rules, more) => {
      if (Object.keys(rules).length === 0) return true;
      const left = new Set(rest(backups, { ...more, ...rules }));
      return rest(backups, rules).every((one) => left.has(one));
    }),
  );
});

t.test('for any backups, `count` keeps that many, and no others except those that must stay', async () => {
  fc.assert(
    fc.property(anyBackups, fc.integer({ min: 1, max: 10 }), (backups, count) => {
      const plain = backups.map((one) => ({ ...one, reason: 'manual' as const, damaged: false }));
      const free = plain.filter(({ pinned, busy }) => !pinned && !busy);
      const left = rest(plain, { count });
      return (
        left.length >= Math.min(count, plain.length) &&
        left.length <= count + plain.length - free.length &&
        left.toSorted((a, b) => b.createdAt - a.createdAt)[0]?.createdAt ===
          plain.toSorted((a, b) => b.createdAt - a.createdAt)[0]?.createdAt
      );
    }),
  );
});
