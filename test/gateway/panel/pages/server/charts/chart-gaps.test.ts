import t from 'tap';
import { gapAt, gapsOf } from '../../../../../../gateway/panel/src/pages/server/charts/chart-gaps.ts';
import type { HistoryEvent } from '../../../../../../gateway/panel/src/pages/server/charts/chart-history.ts';

const BEGIN_S = Date.parse('2026-11-20T12:00:00Z') / 1_000;
const at = (seconds: number) => new Date((BEGIN_S + seconds) * 1_000).toISOString();

/** Returns the gaps of points at these times, in seconds after the beginning. */
function gaps(points: number[], until: number, events: [seconds: number, kind: HistoryEvent['kind']][] = []) {
  const found = gapsOf({
    points: points.map((seconds) => ({ at: at(seconds) })),
    stepSeconds: 10,
    until: at(until),
    events: events.map(([seconds, kind]) => ({ at: at(seconds), kind })),
  });
  return found.map(({ from, to, reason }) => [from - BEGIN_S, to - BEGIN_S, reason]);
}

t.test('there is a gap between points that are far apart, and after the last one', (t) => {
  t.same(gaps([0, 10, 25], 40), [], 'a late point is none, and neither is the present step');
  t.same(gaps([0, 10, 100], 105), [[20, 100, 'unknown']]);
  t.same(gaps([0, 10], 60), [[20, 60, 'unknown']]);
  t.same(gaps([], 60), []);
  t.end();
});

t.test('the end of the server before a gap explains it', (t) => {
  for (const kind of ['stop', 'sleep', 'crash'] as const)
    t.same(
      gaps([0, 100], 105, [
        [4, kind],
        [95, 'start'],
      ]),
      [[10, 100, kind]],
    );
  t.same(gaps([0, 100], 105, [[40, 'stop']]), [[10, 100, 'stop']], 'saving its worlds took a while');
  t.same(gaps([0], 105, [[5, 'stop']]), [[10, 105, 'stop']], 'still stopped');
  t.same(
    gaps([0, 100], 105, [
      [8, 'crash'],
      [30, 'crash'],
    ]),
    [[10, 100, 'crash']],
  );
  t.end();
});

t.test('there is a gap between an event and the first point after it', (t) => {
  t.same(gaps([100, 110], 115, [[4, 'stop']]), [[4, 100, 'stop']]);
  t.same(gaps([100, 110], 115, [[4, 'backup']]), [[4, 100, 'unknown']]);
  t.same(gaps([100, 110], 115, [[88, 'start']]), [], 'it was not ready yet');
  t.end();
});

t.test('a gap that nothing explains has no data', (t) => {
  t.same(
    gaps([0, 100], 105, [
      [4, 'backup'],
      [5, 'mods'],
    ]),
    [[10, 100, 'unknown']],
  );
  t.same(
    gaps([0, 100], 105, [
      [2, 'stop'],
      [4, 'start'],
    ]),
    [[10, 100, 'unknown']],
    'it ran again',
  );
  t.same(gaps([10, 100], 105, [[4, 'stop']]), [[20, 100, 'unknown']], 'an earlier end');
  t.end();
});

t.test('a gap is found by time', (t) => {
  const known = [{ from: 10, to: 20, reason: 'stop' } as const];
  t.equal(gapAt(known, 15)?.reason, 'stop');
  t.equal(gapAt(known, 10)?.reason, 'stop');
  t.equal(gapAt(known, 20), undefined, 'the next point');
  t.end();
});
