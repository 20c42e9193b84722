import t from 'tap';
import { nextRestart } from '../../../../shared/node/processes/restart-policy.ts';

t.test('the first restart is immediate, the next ones are delayed up to half a minute', (t) => {
  const delays: number[] = [];
  let failures = 0;
  for (let end = 0; end < 10; end++) {
    const next = nextRestart(failures, { lived: 100, jitter: 0 });
    delays.push(next.delayMs);
    failures = next.failures;
  }
  t.same(delays, [0, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  t.end();
});

t.test('after a healthy time the next restart is immediate again', (t) => {
  t.same(nextRestart(7, { lived: 60_000, jitter: 0.5 }), { delayMs: 0, failures: 1 });
  t.end();
});

t.test('jitter only lengthens the delay', (t) => {
  const { delayMs } = nextRestart(3, { lived: 0, jitter: 0.99 });
  t.ok(delayMs > 2000 && delayMs <= 2400, String(delayMs));
  t.end();
});
