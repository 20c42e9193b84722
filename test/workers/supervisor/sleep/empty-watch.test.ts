import t from 'tap';
import { EmptyWatch } from '../../../../workers/supervisor/sleep/empty-watch.ts';

const SECOND = 1_000;

t.test('time adds up while every list is empty', async (t) => {
  const watch = new EmptyWatch();
  t.strictSame(
    [0, 5, 10, 15].map((at) => watch.observe(0, 100_000 + at * SECOND)),
    [0, 5 * SECOND, 10 * SECOND, 15 * SECOND],
  );
});

t.test('a player, a short visit or a long gap between lists restarts the time', async (t) => {
  const watch = new EmptyWatch();
  watch.observe(0, 0);
  t.equal(watch.observe(1, 5 * SECOND), 0);
  t.equal(watch.observe(0, 10 * SECOND), 0);
  t.equal(watch.observe(0, 15 * SECOND), 5 * SECOND);
  watch.disturb();
  t.equal(watch.observe(0, 20 * SECOND), 0);
  t.equal(watch.observe(0, 51 * SECOND), 0, 'a player may have come and gone in between');
});

t.test('a failed ping does not count as empty, and a short failure does not restart the time', async (t) => {
  const watch = new EmptyWatch();
  for (let at = 0; at < 100; at += 5) t.equal(watch.observe(undefined, at * SECOND), 0);
  watch.observe(0, 100 * SECOND);
  t.equal(watch.observe(undefined, 105 * SECOND), 0);
  t.equal(watch.observe(0, 110 * SECOND), 10 * SECOND);
});
