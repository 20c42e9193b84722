import t from 'tap';
import { EmptyWatch } from '../../../../workers/supervisor/sleep/empty-watch.ts';

const SECOND = 1_000;

t.test('time adds up while list after list is empty', async (t) => {
  const watch = new EmptyWatch();
  t.strictSame(
    [0, 5, 10, 15].map((at) => watch.observe(0, 100_000 + at * SECOND)),
    [0, 5 * SECOND, 10 * SECOND, 15 * SECOND],
  );
});

t.test('a player, somebody who came and went, or a long time without a list begin it anew', async (t) => {
  const watch = new EmptyWatch();
  watch.observe(0, 0);
  t.equal(watch.observe(1, 5 * SECOND), 0);
  t.equal(watch.observe(0, 10 * SECOND), 0);
  t.equal(watch.observe(0, 15 * SECOND), 5 * SECOND);
  watch.disturb();
  t.equal(watch.observe(0, 20 * SECOND), 0);
  t.equal(watch.observe(0, 51 * SECOND), 0, 'who knows what was in between');
});

t.test('a failure never counts as empty; a short one takes nothing away', async (t) => {
  const watch = new EmptyWatch();
  for (let at = 0; at < 100; at += 5) t.equal(watch.observe(undefined, at * SECOND), 0);
  watch.observe(0, 100 * SECOND);
  t.equal(watch.observe(undefined, 105 * SECOND), 0);
  t.equal(watch.observe(0, 110 * SECOND), 10 * SECOND);
});
