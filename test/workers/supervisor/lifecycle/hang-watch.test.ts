import t from 'tap';
import { HangWatch } from '../../../../workers/supervisor/lifecycle/hang-watch.ts';

const SECOND = 1_000;

t.test('silence counts only after a first answer', async (t) => {
  const watch = new HangWatch();
  t.equal(watch.observe('timeout', 7 * SECOND), 0);
  t.equal(watch.observe('timeout', 14 * SECOND), 0);
  watch.observe(undefined, 20 * SECOND);
  t.equal(watch.observe('timeout', 27 * SECOND), 7 * SECOND);
  t.equal(watch.observe('timeout', 34 * SECOND), 14 * SECOND);
  t.equal(watch.observe(undefined, 39 * SECOND), 0);
});

t.test('a refused, closed or malformed ping is a sign of life', async (t) => {
  const watch = new HangWatch();
  watch.observe(undefined, 0);
  watch.observe('timeout', 7 * SECOND);
  for (const failure of ['refused', 'closed', 'malformed'] as const) t.equal(watch.observe(failure, 14 * SECOND), 0);
  t.equal(watch.observe('timeout', 21 * SECOND), 7 * SECOND);
});

t.test('the time that a machine was suspended does not count', async (t) => {
  const watch = new HangWatch();
  watch.observe(undefined, 0);
  t.equal(watch.observe('timeout', 8 * 3600 * SECOND), 10 * SECOND);
  watch.excuse();
  t.equal(watch.observe('timeout', 8 * 3600 * SECOND + SECOND), SECOND);
});
