import t from 'tap';
import {
  extremesOf,
  recentTps,
  recentValues,
  toSeries,
} from '../../../../../../gateway/panel/src/pages/server/charts/chart-series.ts';

const BEGIN_S = Date.parse('2026-11-20T12:00:00Z') / 1_000;
const at = (seconds: number) => new Date((BEGIN_S + seconds) * 1_000).toISOString();

t.test('each stat is a series over the same times; a missing value is null', (t) => {
  const points = [
    { at: at(0), cpuPercent: 10, memoryUsedMb: 512, diskFreeBytes: 7_000 },
    { at: at(10), cpuPercent: 20, memoryUsedMb: 600, playersOnline: 2 },
  ];
  t.same(toSeries({ points, stepSeconds: 10, gaps: [], events: [] }), {
    times: [BEGIN_S, BEGIN_S + 10],
    cpuPercent: [10, 20],
    memoryUsedMb: [512, 600],
    tickTimeMs: [null, null],
    playersOnline: [null, 2],
    diskFreeBytes: [7_000, null],
  });
  t.end();
});

t.test('the line breaks at both ends of a gap', (t) => {
  const point = (seconds: number) => ({ at: at(seconds), cpuPercent: 1, memoryUsedMb: 1 });
  const { times, cpuPercent } = toSeries({
    points: [point(0), point(15), point(100)],
    stepSeconds: 10,
    events: [
      { at: at(50), kind: 'backup' },
      { at: at(102), kind: 'backup' },
    ],
    gaps: [
      { from: BEGIN_S + 25, to: BEGIN_S + 100, reason: 'stop' },
      { from: BEGIN_S + 110, to: BEGIN_S + 115, reason: 'unknown' },
    ],
  });
  t.same(
    times.map((time) => time - BEGIN_S),
    [0, 15, 25, 50, 90, 100, 110],
  );
  t.same(cpuPercent, [1, 1, null, null, null, 1, null]);
  t.end();
});

t.test('recent values are the last sixty points and the current value', (t) => {
  const points = Array.from({ length: 100 }, (_, index) => ({ at: at(index), cpuPercent: index, memoryUsedMb: 1 }));
  const values = recentValues(points, 'cpuPercent', 7);
  t.equal(values.length, 61);
  t.equal(values[0], 40);
  t.equal(values.at(-1), 7);
  t.same(recentValues(points.slice(0, 1), 'tickTimeMs', 20), [null, 20]);
  t.end();
});

t.test('recent ticks per second follow from the tick time, at most Minecraft’s rate', (t) => {
  const points = [{ tickTimeMs: 20 }, {}, { tickTimeMs: 100 }].map((more, index) => ({
    ...{ at: at(index), cpuPercent: 1, memoryUsedMb: 1 },
    ...more,
  }));
  t.same(recentTps(points, 19.5), [20, null, 10, 19.5]);
  t.end();
});

t.test('the newest value and the extremes ignore gaps', (t) => {
  t.same(extremesOf([3, null, 9, 4, null]), { newest: 4, highest: 9, lowest: 3 });
  t.equal(extremesOf([null]), undefined);
  t.end();
});
