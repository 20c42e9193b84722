import t from 'tap';
import { pointText } from '../../../../../../../gateway/panel/src/pages/server/charts/plot/point-text.ts';

/** Texts show local time. */
const NOON_S = new Date(2026, 10, 20, 12).getTime() / 1_000;
const event = (seconds: number, kind: 'start' | 'crash' | 'backup') => ({
  at: new Date((NOON_S + seconds) * 1_000).toISOString(),
  kind,
});
const HISTORY = {
  stepSeconds: 60,
  gaps: [{ from: NOON_S + 600, to: NOON_S + 1_200, reason: 'crash' as const }],
  events: [event(-5, 'crash'), event(0, 'start'), event(5, 'crash'), event(10, 'start'), event(300, 'backup')],
};
const format = (value: number) => `${value}%`;
const textAt = (seconds: number, value: number | null) =>
  pointText({ time: NOON_S + seconds, value, format }, HISTORY, 'en');

t.test('the text of a point has its value and the newest of its events', (t) => {
  t.equal(textAt(120, 7), 'Nov 20, 12:02 · 7%');
  t.equal(textAt(300, 0), 'Nov 20, 12:05 · 0% · ◆ Backup 12:05');
  t.equal(textAt(0, 7), 'Nov 20, 12:00 · 7% · ▲ Started 12:00 · × Crashed 12:00 · ▲ Started 12:00');
  t.end();
});

t.test('the text of a point without a value says why', (t) => {
  t.equal(textAt(660, null), 'Nov 20, 12:11 · Crashed');
  t.equal(textAt(1_500, null), 'Nov 20, 12:25 · No data');
  t.end();
});
