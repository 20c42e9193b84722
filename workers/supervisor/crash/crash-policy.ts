import { type BackOff, backOffDelay } from '../../../shared/domain/back-off.ts';
import type { CrashPolicy } from '../../../shared/schema/instance.ts';

/** The first restart comes after a second; the delay doubles up to a minute. */
export const RESTART_BACK_OFF: BackOff = { firstMs: 1_000, maxMs: 60_000 };

export interface UnexpectedEnd {
  failed: boolean;
  wasReady: boolean;
  policy: CrashPolicy;
  backOff: BackOff;
  /** Times of the automatic restarts, milliseconds, newest last. */
  restartedAt: readonly number[];
  /** Attempts since then that were refused for lack of disk space. */
  refusals: number;
  now: number;
  /** In [0, 1). */
  jitter: number;
}

export type Verdict =
  | { verdict: 'rest' }
  | { verdict: 'restart'; delayMs: number }
  /** The server has crashed and stays down; its owner has to look at it. */
  | { verdict: 'give-up' };

/** Decides what to do after a server ended without a request to stop. */
export function judgeEnd({
  failed,
  wasReady,
  policy,
  backOff,
  restartedAt,
  refusals,
  now,
  jitter,
}: UnexpectedEnd): Verdict {
  // Some servers exit with 0 if their port is taken or a file is missing, so before readiness that is a failure.
  if (!failed && policy.restart !== 'always') return { verdict: wasReady ? 'rest' : 'give-up' };
  if (policy.restart === 'never') return { verdict: 'give-up' };
  // Older restarts do not count: a server that ran well for that long has a clean record.
  const recent = restartsInWindow(restartedAt, policy, now);
  if (recent >= policy.maxRestarts) return { verdict: 'give-up' };
  return { verdict: 'restart', delayMs: backOffDelay(backOff, recent + refusals + 1, jitter) };
}

export function restartsInWindow(restartedAt: readonly number[], policy: CrashPolicy, now: number): number {
  return restartedAt.filter((at) => now - at < policy.windowSeconds * 1000).length;
}
