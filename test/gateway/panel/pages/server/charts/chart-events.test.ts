import t from 'tap';
import { eventsAt, eventsIn } from '../../../../../../gateway/panel/src/pages/server/charts/chart-events.ts';

const BEGIN_S = Date.parse('2026-11-20T12:00:00Z') / 1_000;
const event = (seconds: number, kind: 'start' | 'stop' | 'backup') => ({
  at: new Date((BEGIN_S + seconds) * 1_000).toISOString(),
  kind,
});
const EVENTS = [event(4, 'stop'), event(5, 'start'), event(14, 'backup'), event(40, 'stop')];

t.test('an event belongs to the nearest point', (t) => {
  const kinds = (seconds: number) => eventsAt(EVENTS, BEGIN_S + seconds, 10).map(({ kind }) => kind);
  t.same(kinds(0), ['stop']);
  t.same(kinds(10), ['start', 'backup']);
  t.same(kinds(20), []);
  t.end();
});

t.test('the events of a span are listed from the newest on', (t) => {
  const kinds = (from: number, to: number) => eventsIn(EVENTS, [BEGIN_S + from, BEGIN_S + to]).map(({ kind }) => kind);
  t.same(kinds(0, 60), ['stop', 'backup', 'start', 'stop']);
  t.same(kinds(10, 20), ['backup']);
  t.end();
});
