import t from 'tap';
import { createRateLimit } from '../../../shared/node/rate-limit.ts';

t.test('a bucket allows its burst at once, then its rate', async (t) => {
  const limit = createRateLimit(() => ({ requestsPerSecond: 10, burst: 3 }));
  t.same(
    [1, 2, 3].map(() => limit.take('a', 0)),
    [0, 0, 0],
  );
  t.equal(limit.take('a', 0), 0.1, 'returns the seconds to wait');
  t.equal(limit.take('b', 0), 0, 'another key has its own bucket');
  t.equal(limit.take('a', 100), 0);
  t.ok(limit.take('a', 100) > 0);
  t.same(
    [1, 2, 3, 4].map(() => limit.take('a', 10_000) > 0),
    [false, false, false, true],
    'never more than the burst',
  );
});

t.test('changed limits apply at once', async (t) => {
  let limits = { requestsPerSecond: 1, burst: 2 };
  const limit = createRateLimit(() => limits);
  t.same([limit.take('a', 0), limit.take('a', 0), limit.take('a', 0)], [0, 0, 1]);
  limits = { requestsPerSecond: 10, burst: 20 };
  t.equal(limit.take('a', 0), 0.1);
  t.equal(limit.take('a', 100), 0);
  limits = { requestsPerSecond: 10, burst: 1 };
  t.same([limit.take('a', 10_000), limit.take('a', 10_000)], [0, 0.1]);
});

t.test('what is given back can be taken again, and never more than the burst', async (t) => {
  const limit = createRateLimit(() => ({ requestsPerSecond: 1, burst: 1 }));
  t.same([limit.take('a', 0), limit.take('a', 0)], [0, 1]);
  limit.giveBack('a');
  limit.giveBack('a');
  limit.giveBack('b');
  t.same([limit.take('a', 0), limit.take('a', 0)], [0, 1]);
});

t.test('setting the clock back locks nobody out', async (t) => {
  const limit = createRateLimit(() => ({ requestsPerSecond: 10, burst: 3 }));
  t.equal(limit.take('a', 3_600_000), 0);
  t.equal(limit.take('a', 0), 0);
  t.equal(limit.take('a', 0), 0);
  t.equal(limit.take('a', 0), 0.1, 'the burst is exhausted');
  t.equal(limit.take('a', 100), 0, 'it refills from there');
});

t.test('any number of keys takes little memory', async (t) => {
  const limit = createRateLimit(() => ({ requestsPerSecond: 1, burst: 2 }));
  for (let n = 0; n < 50_000; n++) limit.take(`address:${n}`, n);
  t.equal(limit.take('address:49999', 50_000), 0);
  t.ok(limit.take('address:49999', 50_000) > 0, 'recent keys are kept');
});
