import t from 'tap';
import { backOffDelay } from '../../../shared/domain/back-off.ts';

t.test('the delay doubles up to its cap and jitter adds at most a fifth, within the cap', async (t) => {
  const backOff = { firstMs: 1_000, maxMs: 60_000 };
  t.same(
    [1, 2, 3, 6, 7, 50].map((attempt) => backOffDelay(backOff, attempt, 0)),
    [1_000, 2_000, 4_000, 32_000, 60_000, 60_000],
  );
  t.equal(backOffDelay(backOff, 1, 0.999_999), 1_200);
  t.equal(backOffDelay(backOff, 50, 0.999_999), 60_000);
});
