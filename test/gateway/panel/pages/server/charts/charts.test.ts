import t from 'tap';
import { nextIndex } from '../../../../../../gateway/panel/src/pages/server/charts/chart-cursor.ts';
import {
  newestAndPeak,
  recentValues,
  toSeries,
} from '../../../../../../gateway/panel/src/pages/server/charts/chart-series.ts';
import { formatMoment, timeLabels } from '../../../../../../gateway/panel/src/pages/server/charts/time-labels.ts';

const BEGIN_S = Date.parse('2026-11-20T12:00:00Z') / 1_000;
const at = (seconds: number) => new Date((BEGIN_S + seconds) * 1_000).toISOString();

t.test('each stat is a series over the same times; a missing value is null', (t) => {
  const points = [
    { at: at(0), cpuPercent: 10, memoryUsedMb: 512 },
    { at: at(10), cpuPercent: 20, memoryUsedMb: 600, playersOnline: 2 },
  ];
  t.same(toSeries({ points, stepSeconds: 10 }), {
    times: [BEGIN_S, BEGIN_S + 10],
    cpuPercent: [10, 20],
    memoryUsedMb: [512, 600],
    tickTimeMs: [null, null],
    playersOnline: [null, 2],
  });
  t.end();
});

t.test('a time without points breaks the line, a late point does not', (t) => {
  const point = (seconds: number) => ({ at: at(seconds), cpuPercent: 1, memoryUsedMb: 1 });
  const { times, cpuPercent } = toSeries({ points: [point(0), point(15), point(100)], stepSeconds: 10 });
  t.same(
    times.map((time) => time - BEGIN_S),
    [0, 15, 25, 100],
  );
  t.same(cpuPercent, [1, 1, null, 1]);
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

t.test('newest and peak ignore gaps', (t) => {
  t.same(newestAndPeak([3, null, 9, 4, null]), { newest: 4, peak: 9 });
  t.equal(newestAndPeak([null]), undefined);
  t.end();
});

t.test('arrow and page keys move the cursor within the chart', (t) => {
  const moves: [key: string, from: number, to: number][] = [
    ['ArrowLeft', 5, 4],
    ['ArrowDown', 5, 4],
    ['ArrowRight', 5, 6],
    ['ArrowUp', 5, 6],
    ['PageDown', 25, 15],
    ['PageUp', 25, 35],
    ['PageDown', 5, 0],
    ['PageUp', 35, 40],
    ['Home', 5, 0],
    ['End', 5, 40],
    ['ArrowLeft', 0, 0],
    ['ArrowRight', 40, 40],
    ['ArrowLeft', 41, 40],
  ];
  for (const [key, from, to] of moves) t.equal(nextIndex(key, from, 40), to, `${key} from ${from}`);
  t.end();
});

t.test('other keys do not', (t) => {
  for (const key of ['Escape', 'Tab', 'a', ' ']) t.equal(nextIndex(key, 5, 40), undefined, key);
  t.end();
});

/** The labels do not depend on the chart. */
const CHART = undefined as unknown as Parameters<ReturnType<typeof timeLabels>>[0];

const HOUR_S = 3_600;
const MIDNIGHT_S = new Date(2026, 10, 20).getTime() / 1_000;

const labelsAt = (language: string, seconds: number[], stepSeconds: number) =>
  timeLabels(language)(CHART, seconds, 0, 0, stepSeconds);

t.test('an axis shows the time of day, and the date at midnight', (t) => {
  t.same(labelsAt('en-US', [MIDNIGHT_S - HOUR_S, MIDNIGHT_S, MIDNIGHT_S + HOUR_S], HOUR_S), [
    '11:00 PM',
    'Nov 20',
    '1:00 AM',
  ]);
  t.same(labelsAt('de', [MIDNIGHT_S + HOUR_S], HOUR_S), ['1:00']);
  t.end();
});

t.test('an axis of days shows only dates', (t) => {
  t.same(labelsAt('en-US', [MIDNIGHT_S + HOUR_S], 24 * HOUR_S), ['Nov 20']);
  t.end();
});

t.test('a point shows date and time', (t) => {
  t.equal(formatMoment('en-US', MIDNIGHT_S + 13 * HOUR_S), 'Nov 20, 1:00 PM');
  t.end();
});
