import { type BackOff, backOffDelay } from '../../../shared/domain/back-off.ts';
import type { CrashPolicy } from '../../../shared/schema/instance.ts';

/** First restart after a second, doubling, a minute at most (api.md, create body). */
export const RESTART_BACK_OFF: BackOff = { firstMs: 1_000, maxMs: 60_000 };

export interface UnaskedEnd {
  /** False for exit code 0: the program was done. */
  failed: boolean;
  /** Whether it had got as far as letting players join. */
  wasReady: boolean;
  policy: CrashPolicy;
  backOff: BackOff;
  /** When the process was started again by itself, milliseconds; newest last. */
  restartedAt: readonly number[];
  now: number;
  /** In [0, 1). */
  jitter: number;
}

export type Verdict =
  /** It is over, and that is in order. */
  | { verdict: 'rest' }
  | { verdict: 'restart'; delayMs: number }
  /** It is over, and somebody has to look at it. */
  | { verdict: 'give-up' };

/** What to do after a server that nobody asked to stop has ended. */
export function judgeEnd({ failed, wasReady, policy, backOff, restartedAt, now, jitter }: UnaskedEnd): Verdict {
  // Several servers leave with 0 when their port is taken or a file is missing: before it was ready, that is not in order.
  if (!failed && policy.restart !== 'always') return { verdict: wasReady ? 'rest' : 'give-up' };
  if (policy.restart === 'never') return { verdict: 'give-up' };
  // What lies outside the window is forgotten: a server that ran well for that long starts afresh.
  const recent = restartsInWindow(restartedAt, policy, now);
  if (recent >= policy.maxRestarts) return { verdict: 'give-up' };
  return { verdict: 'restart', delayMs: backOffDelay(backOff, recent + 1, jitter) };
}

/** How many of the restarts count at the moment `now`. */
export function restartsInWindow(restartedAt: readonly number[], policy: CrashPolicy, now: number): number {
  return restartedAt.filter((at) => now - at < policy.windowSeconds * 1000).length;
}
