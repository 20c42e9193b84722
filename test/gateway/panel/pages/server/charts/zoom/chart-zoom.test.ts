import t from 'tap';
import {
  moved,
  scaled,
  shownSpan,
  wholeSpan,
  zoomTo,
} from '../../../../../../../gateway/panel/src/pages/server/charts/zoom/chart-zoom.ts';

t.test('the axis reaches from the oldest point or event until now', (t) => {
  const at = (seconds: number) => new Date(seconds * 1_000).toISOString();
  const history = { until: at(1_000), stepSeconds: 10 };
  const [points, events] = [[{ at: at(300) }, { at: at(310) }], [{ at: at(200), kind: 'start' as const }]];
  t.same(wholeSpan({ ...history, points, events: [] }), [300, 1_000]);
  t.same(wholeSpan({ ...history, points, events }), [200, 1_000]);
  t.same(wholeSpan({ ...history, points: [], events }), [200, 1_000], 'a server that did not run');
  t.same(wholeSpan({ ...history, points: [], events: [] }), [1_000, 1_010]);
  t.end();
});

t.test('a zoom stays within the axis and shows a few points', (t) => {
  t.same(zoomTo([200, 500], [0, 1_000], 10), [200, 500]);
  t.same(zoomTo([300, 302], [0, 1_000], 10), [271, 331], 'six steps around a short selection');
  t.same(zoomTo([0, 2], [0, 1_000], 10), [0, 60]);
  t.same(zoomTo([998, 1_000], [0, 1_000], 10), [940, 1_000]);
  t.equal(zoomTo([5, 6], [0, 20], 10), null, 'all of a short axis');
  t.equal(zoomTo([-500, 1_500], [0, 1_000], 10), null);
  t.end();
});

t.test('a zoom lasts until its time has left the axis', (t) => {
  t.same(shownSpan(null, [0, 100]), [0, 100]);
  t.same(shownSpan([20, 40], [0, 100]), [20, 40]);
  t.same(shownSpan([20, 40], [30, 130]), [30, 40]);
  t.same(shownSpan([20, 40], [40, 140]), [40, 140]);
  t.end();
});

t.test('the buttons halve, double and move a span', (t) => {
  t.same(scaled([200, 600], 0.5), [300, 500]);
  t.same(scaled([200, 600], 2), [0, 800]);
  t.same(moved([200, 600], -0.5), [0, 400]);
  t.same(zoomTo(moved([200, 600], 0.5), [0, 700], 10), [300, 700], 'up to the end of the axis');
  t.end();
});
