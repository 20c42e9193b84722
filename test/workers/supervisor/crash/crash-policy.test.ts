import t from 'tap';
import { judgeEnd, RESTART_BACK_OFF, type UnexpectedEnd } from '../../../../workers/supervisor/crash/crash-policy.ts';

const NOW = 1_000_000;
const end = (change: Partial<UnexpectedEnd> = {}): UnexpectedEnd => ({
  failed: true,
  wasReady: true,
  policy: { restart: 'on-failure', maxRestarts: 3, windowSeconds: 600 },
  backOff: RESTART_BACK_OFF,
  restartedAt: [],
  refusals: 0,
  now: NOW,
  jitter: 0,
  ...change,
});

t.test('the first restart comes after a second, and the delay doubles', async (t) => {
  t.strictSame(judgeEnd(end()), { verdict: 'restart', delayMs: 1_000 });
  t.strictSame(judgeEnd(end({ restartedAt: [NOW - 10] })), { verdict: 'restart', delayMs: 2_000 });
  t.strictSame(judgeEnd(end({ restartedAt: [NOW - 20, NOW - 10] })), { verdict: 'restart', delayMs: 4_000 });
});

t.test('the longest delay is a minute', async (t) => {
  const policy = { restart: 'on-failure', maxRestarts: 100, windowSeconds: 600 } as const;
  t.strictSame(judgeEnd(end({ policy, restartedAt: Array<number>(20).fill(NOW) })), {
    verdict: 'restart',
    delayMs: 60_000,
  });
});

t.test('it gives up after the maximum number of restarts', async (t) => {
  t.strictSame(judgeEnd(end({ restartedAt: [NOW - 3, NOW - 2, NOW - 1] })), { verdict: 'give-up' });
});

t.test('restarts outside the window do not count', async (t) => {
  t.strictSame(judgeEnd(end({ restartedAt: [0, 1, 2].map((n) => NOW - 600_000 - n) })), {
    verdict: 'restart',
    delayMs: 1_000,
  });
});

t.test('exit code 0 after readiness is no crash unless the policy restarts always', async (t) => {
  t.strictSame(judgeEnd(end({ failed: false })), { verdict: 'rest' });
  const policy = { restart: 'always', maxRestarts: 3, windowSeconds: 600 } as const;
  t.strictSame(judgeEnd(end({ failed: false, policy })), { verdict: 'restart', delayMs: 1_000 });
});

t.test('exit code 0 before readiness is a crash without a restart', async (t) => {
  t.strictSame(judgeEnd(end({ failed: false, wasReady: false })), { verdict: 'give-up' });
});

t.test('with "never" nothing is restarted', async (t) => {
  const policy = { restart: 'never', maxRestarts: 3, windowSeconds: 600 } as const;
  t.strictSame(judgeEnd(end({ policy })), { verdict: 'give-up' });
  t.strictSame(judgeEnd(end({ policy, failed: false })), { verdict: 'rest' });
});
