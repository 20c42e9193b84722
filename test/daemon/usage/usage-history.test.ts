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
    points: [
      { at: '2026-11-20T08:00:00.000Z', cpuPercent: 15, memoryUsedMb: 115, playersOnline: 3 },
      { at: '2026-11-20T08:00:10.000Z', cpuPercent: 50, memoryUsedMb: 150, playersOnline: 2 },
    ],
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
  history.forget('demo');
  history.flush(START + 21 * SECOND);
  t.same(store.usage.since({ instanceId: 'demo', stepSeconds: 10, since: 0 }), []);
});
