import t from 'tap';
import {
  formatMoment,
  formatSpan,
  timeLabels,
} from '../../../../../../../gateway/panel/src/pages/server/charts/plot/time-labels.ts';

/** The labels do not depend on the chart. */
const CHART = undefined as unknown as Parameters<ReturnType<typeof timeLabels>>[0];

const HOUR_S = 3_600;
const MIDNIGHT_S = new Date(2026, 10, 20).getTime() / 1_000;

const labelsAt = (language: string, seconds: number[], stepSeconds: number) =>
  timeLabels(language)(CHART, seconds, 0, 0, stepSeconds);

t.test('an axis shows the time of day, and the date at midnight', (t) => {
  t.same(labelsAt('en-US', [MIDNIGHT_S - HOUR_S, MIDNIGHT_S, MIDNIGHT_S + HOUR_S], HOUR_S), [
    '23:00',
    'Nov 20',
    '01:00',
  ]);
  t.same(labelsAt('de', [MIDNIGHT_S + HOUR_S], HOUR_S), ['01:00']);
  t.end();
});

t.test('an axis of days shows only dates', (t) => {
  t.same(labelsAt('en-US', [MIDNIGHT_S + HOUR_S], 24 * HOUR_S), ['Nov 20']);
  t.end();
});

t.test('a point shows date and time', (t) => {
  t.equal(formatMoment('en-US', MIDNIGHT_S + 13 * HOUR_S), 'Nov 20, 13:00');
  t.end();
});

t.test('a span shows its date once', (t) => {
  const span = formatSpan('en-US', [MIDNIGHT_S + 13 * HOUR_S, MIDNIGHT_S + 14 * HOUR_S]);
  t.equal(span.replaceAll('\u2009', ' '), 'Nov 20, 13:00 – 14:00');
  t.end();
});
