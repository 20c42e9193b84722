import t from 'tap';
import { createFailureLimit } from '../../../../shared/node/passwords/failure-limit.ts';

const WINDOW_MS = 900_000;
const limit = () => createFailureLimit({ most: 5, windowMs: WINDOW_MS, seed: Buffer.alloc(32, 1) });

t.test('the sixth attempt waits until the first is old enough', (t) => {
  const failures = limit();
  for (let n = 0; n < 5; n++) t.equal(failures.attempt('ann', n * 1000), 0);
  t.equal(failures.attempt('ann', 5_000), 895);
  t.equal(failures.attempt('ann', WINDOW_MS - 1), 1);
  t.equal(failures.attempt('bob', 5_000), 0, 'another key is not affected');
  t.equal(failures.attempt('ann', WINDOW_MS), 0);
  t.not(failures.attempt('ann', WINDOW_MS), 0, 'only one failure has expired');
  t.end();
});

t.test('setting the clock back prolongs no wait', (t) => {
  const failures = limit();
  for (let n = 0; n < 5; n++) failures.attempt('ann', 10 * WINDOW_MS);
  t.equal(failures.attempt('ann', 0), 0);
  t.end();
});

t.test('success forgets failures, and an attempt without a verdict does not count', (t) => {
  const failures = limit();
  for (let n = 0; n < 4; n++) failures.attempt('ann', 0);
  failures.succeeded('ann');
  for (let n = 0; n < 20; n++) {
    t.equal(failures.attempt('ann', 0), 0);
    failures.withdraw('ann');
  }
  for (let n = 0; n < 5; n++) t.equal(failures.attempt('ann', 0), 0);
  t.not(failures.attempt('ann', 0), 0);
  failures.withdraw('never seen');
  t.end();
});

t.test('other names, however many, displace no count and do not fill the memory', (t) => {
  const failures = createFailureLimit({ most: 5, windowMs: WINDOW_MS });
  for (let n = 0; n < 5; n++) failures.attempt('192.0.2.1 admin', 0);
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 80_000; n++) failures.attempt(`192.0.2.1 ${n}-${'x'.repeat(50)}`, 0);
  t.not(failures.attempt('192.0.2.1 admin', 1_000), 0);
  const grownMb = (process.memoryUsage().heapUsed - before) / 1e6;
  t.ok(grownMb < 60, `${grownMb.toFixed(1)} MB for 80,000 names`);
  t.end();
});
