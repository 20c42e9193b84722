import path from 'node:path';
import t, { type Test } from 'tap';
import { openStore } from '../../../daemon/store/store.ts';
import { createUsageHistory } from '../../../daemon/usage/usage-history.ts';
import { HISTORY_RANGES } from '../../../shared/schema/history.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';

/** A time at which a step of every range begins. Milliseconds. */
const START = Date.parse('2026-11-20T08:00:00.000Z');
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

function open(t: Test) {
  const file = path.join(temporaryFolder(t), 'gamekeeper.db');
  const store = openStore(file);
  t.teardown(() => store[Symbol.dispose]());
  return { file, store };
}

const running = (cpuPercent: number, playersOnline: number) =>
  ({ phase: 'running', cpuPercent, memoryUsedMb: 100 + cpuPercent, playersOnline }) as const;

t.test('a point has the mean usage and the most players, in steps that fit its range', async (t) => {
  const history = createUsageHistory(open(t).store.usage);
  for (const [second, cpu, players] of [
    [0, 10, 1],
    [5, 20, 3],
    [12, 50, 2],
  ] as const)
    history.observe('demo', running(cpu, players), START + second * SECOND);

  const now = START + 20 * SECOND;
  t.same(history.read({ instanceId: 'demo', range: '1h' }, now), {
    range: '1h',
    stepSeconds: 10,
    until: '2026-11-20T08:00:20.000Z',
    points: [
      { at: '2026-11-20T08:00:00.000Z', cpuPercent: 15, memoryUsedMb: 115, playersOnline: 3 },
      { at: '2026-11-20T08:00:10.000Z', cpuPercent: 50, memoryUsedMb: 150, playersOnline: 2 },
    ],
    events: [],
  });
  t.same(history.read({ instanceId: 'demo', range: '7d' }, now).points, [
    { at: '2026-11-20T08:00:00.000Z', cpuPercent: 26.7, memoryUsedMb: 127, playersOnline: 3 },
  ]);
  t.same(history.read({ instanceId: 'other', range: '1h' }, now).points, []);
});

t.test('tick times are kept if the server reports them, also across a flush', async (t) => {
  const history = createUsageHistory(open(t).store.usage);
  history.observe('demo', { phase: 'running', tickTimeMs: 10.5, tps: 20 }, START);
  history.observe('demo', { phase: 'running', tickTimeMs: 60, tps: 16.67 }, START + SECOND);
  history.flush(START + SECOND);
  history.observe('demo', { phase: 'running' }, START + 2 * SECOND);
  t.same(history.read({ instanceId: 'demo', range: '1h' }, START + 3 * SECOND).points, [
    { at: '2026-11-20T08:00:00.000Z', tickTimeMs: 35.3 },
  ]);
});

t.test('points from before the clock was set back are not shown in the future', async (t) => {
  const history = createUsageHistory(open(t).store.usage);
  history.observe('demo', running(10, 1), START + 24 * HOUR);
  history.flush(START + 24 * HOUR);
  history.observe('demo', running(20, 2), START + 25 * HOUR);
  history.observe('demo', running(30, 3), START);
  for (const range of ['1h', '24h', '7d'] as const)
    t.same(
      history.read({ instanceId: 'demo', range }, START + SECOND).points.map(({ cpuPercent }) => cpuPercent),
      [30],
      range,
    );
});

t.test('unknown stats are left out and not zero', async (t) => {
  const history = createUsageHistory(open(t).store.usage);
  history.observe('demo', { phase: 'running', memoryUsedMb: 7 }, START);
  t.same(history.read({ instanceId: 'demo', range: '1h' }, START).points, [
    { at: '2026-11-20T08:00:00.000Z', memoryUsedMb: 7 },
  ]);
});

t.test('a point has the least free disk space, on disk as well', async (t) => {
  const history = createUsageHistory(open(t).store.usage);
  const observe = (diskFreeBytes: number | undefined, second: number) =>
    history.observe('demo', { phase: 'running', ...(diskFreeBytes && { diskFreeBytes }) }, START + second * SECOND);
  observe(7_000_000_000, 0);
  observe(undefined, 1);
  history.flush(START + SECOND);
  observe(5_000_000_000, 2);
  observe(6_000_000_000, 3);
  t.same(history.read({ instanceId: 'demo', range: '1h' }, START + 4 * SECOND).points, [
    { at: '2026-11-20T08:00:00.000Z', diskFreeBytes: 5_000_000_000 },
  ]);
});

t.test('free disk space that no number can count is unknown', async (t) => {
  const history = createUsageHistory(open(t).store.usage);
  for (const diskFreeBytes of [2 ** 53, 2 ** 64, Number.NaN]) {
    history.observe('demo', { phase: 'running', memoryUsedMb: 7, diskFreeBytes }, START);
    history.flush(START);
  }
  t.same(history.read({ instanceId: 'demo', range: '1h' }, START).points, [
    { at: '2026-11-20T08:00:00.000Z', memoryUsedMb: 7 },
  ]);
});

t.test('a step that began before a restart of the daemon continues after it', async (t) => {
  const { file, store } = open(t);
  const before = createUsageHistory(store.usage);
  before.observe('demo', running(10, 4), START);
  before.flush(START + SECOND);
  const reopened = openStore(file);
  t.teardown(() => reopened[Symbol.dispose]());
  const after = createUsageHistory(reopened.usage);
  after.observe('demo', running(30, 1), START + 2 * SECOND);
  t.match(after.read({ instanceId: 'demo', range: '24h' }, START + 3 * SECOND).points, [
    { cpuPercent: 20, memoryUsedMb: 120, playersOnline: 4 },
  ]);
});

t.test('a week of a server has a limited number of points, and older ones are removed from the disk', async (t) => {
  const { store } = open(t);
  const history = createUsageHistory(store.usage);
  const weekAndMore = 8 * 24 * HOUR;
  for (let at = 0; at <= weekAndMore; at += 60 * SECOND) {
    history.observe('demo', running(1, 0), START + at);
    if (at % HOUR === 0) history.flush(START + at);
  }
  const now = START + weekAndMore;
  history.flush(now);
  for (const [range, { spanSeconds, stepSeconds }] of Object.entries(HISTORY_RANGES)) {
    const kept = store.usage.since({ instanceId: 'demo', stepSeconds, since: 0 });
    t.ok(kept.length > 0 && kept.length <= spanSeconds / stepSeconds + 1, `${range}: ${kept.length} points`);
    t.ok((kept[0]?.at ?? 0) >= now / 1000 - spanSeconds, `${range}: no point is older than the range`);
  }
});

t.test('a deleted instance leaves nothing behind', async (t) => {
  const { store } = open(t);
  const history = createUsageHistory(store.usage);
  history.observe('demo', running(1, 0), START);
  history.flush(START);
  history.observe('demo', running(1, 0), START + 20 * SECOND);
  history.record({ instanceId: 'demo', at: START, kind: 'start' });
  history.forget('demo');
  history.flush(START + 21 * SECOND);
  t.same(store.usage.since({ instanceId: 'demo', stepSeconds: 10, since: 0 }), []);
  t.same(history.read({ instanceId: 'demo', range: '7d' }, START + 21 * SECOND).events, []);
});

t.test('events are kept once, in order, and only those of the range are returned', async (t) => {
  const history = createUsageHistory(open(t).store.usage);
  const events = [
    { at: START + 3 * HOUR, kind: 'backup' },
    { at: START, kind: 'start' },
    { at: START, kind: 'start' },
    { at: START + 2 * HOUR, kind: 'stop' },
    { at: START + 4 * HOUR, kind: 'crash' },
  ] as const;
  for (const event of events) history.record({ instanceId: 'demo', ...event });
  const read = (range: '1h' | '24h', now: number) =>
    history.read({ instanceId: 'demo', range }, now).events.map(({ at, kind }) => `${at.slice(11, 16)} ${kind}`);
  const now = START + 3 * HOUR + SECOND;
  t.same(read('24h', now), ['08:00 start', '10:00 stop', '11:00 backup'], 'none of the future: the clock was set back');
  t.same(read('1h', now), ['11:00 backup']);
  t.same(history.read({ instanceId: 'other', range: '24h' }, now).events, []);
});

t.test('a known start withdraws the ends recorded since then, whatever the clock shows', async (t) => {
  const { store } = open(t);
  const history = createUsageHistory(store.usage);
  const record = (hour: number, kind: 'start' | 'stop' | 'crash') =>
    history.record({ instanceId: 'demo', at: START + hour * HOUR, kind });
  const kept = () =>
    history
      .read({ instanceId: 'demo', range: '24h' }, START + 12 * HOUR)
      .events.map(({ at, kind }) => `${at.slice(11, 13)} ${kind}`);
  record(2, 'start');
  record(4, 'stop');
  // The clock is set back by hours.
  record(1, 'start');
  t.same(kept(), ['09 start', '10 start', '12 stop'], 'a new start withdraws nothing');
  record(0, 'crash');
  record(1, 'start');
  t.same(kept(), ['09 start', '10 start', '12 stop'], 'the crash is withdrawn, the stop of the process before is not');
});

t.test('the start of a server that runs for weeks is remembered', async (t) => {
  const { store } = open(t);
  const history = createUsageHistory(store.usage);
  const later = START + 14 * 24 * HOUR;
  history.record({ instanceId: 'demo', at: START - HOUR, kind: 'start' });
  history.record({ instanceId: 'demo', at: START, kind: 'start' });
  history.flush(later);
  history.record({ instanceId: 'demo', at: later, kind: 'crash' });
  history.record({ instanceId: 'demo', at: START, kind: 'start' });
  const kept = store.usage.events({ instanceId: 'demo', from: 0, to: later, limit: 5 });
  t.same(kept, [{ instanceId: 'demo', at: START, kind: 'start' }]);
});

t.test('the number of events is limited, in an answer and on disk, and old ones are removed', async (t) => {
  const { store } = open(t);
  const history = createUsageHistory(store.usage);
  const kept = () => store.usage.events({ instanceId: 'demo', from: 0, to: START + HOUR, limit: 5_000 });
  // One write to disk instead of 1,200.
  store.transaction(() => {
    for (let second = 0; second < 1_200; second++)
      history.record({ instanceId: 'demo', at: START + second * SECOND, kind: 'crash' });
  });
  t.equal(kept().length, 1_000);
  const { events } = history.read({ instanceId: 'demo', range: '1h' }, START + HOUR);
  t.equal(events.length, 200);
  t.equal(events.at(-1)?.at, '2026-11-20T08:19:59.000Z', 'the newest');
  history.flush(START + 7 * 24 * HOUR + 1_190 * SECOND);
  t.equal(kept().length, 10);
});
