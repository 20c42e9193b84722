import { createHmac, randomBytes } from 'node:crypto';

/**
 * Slots in which failures are counted. They are fixed, so that no number of invented names fills the memory or pushes out what was
 * counted; and which names share one is this process's secret, so that nobody can lock another out by it.
 */
const SLOTS = 2 ** 16;

export interface FailureLimitOptions {
  /** Failures that are let pass within the window. */
  most: number;
  windowMs: number;
  /** Decides which keys share a slot. */
  seed?: Buffer;
}

/** Counts what failed. `now` in milliseconds. */
export interface FailureLimit {
  /**
   * Takes an attempt, which counts as failed until `succeeded` or `withdraw` says otherwise: attempts made at the same time count as
   * well. Returns 0, or the seconds to wait before the next one is looked at.
   */
  attempt(key: string, now: number): number;
  /** What failed before is forgiven. */
  succeeded(key: string): void;
  /** The last attempt was neither right nor wrong. */
  withdraw(key: string): void;
}

export function createFailureLimit({ most, windowMs, seed = randomBytes(32) }: FailureLimitOptions): FailureLimit {
  const failures = new Map<number, number[]>();
  const slotOf = (key: string) => createHmac('sha256', seed).update(key).digest().readUInt32BE() % SLOTS;
  return {
    attempt(key, now) {
      const slot = slotOf(key);
      // What lies in the future was counted before the clock was set back: nobody can tell how long ago.
      const recent = (failures.get(slot) ?? []).filter((at) => at <= now && now - at < windowMs);
      const [oldest] = recent;
      if (oldest !== undefined && recent.length >= most) return Math.ceil((oldest + windowMs - now) / 1000);
      failures.set(slot, [...recent, now]);
      return 0;
    },
    succeeded: (key) => void failures.delete(slotOf(key)),
    withdraw: (key) => void failures.get(slotOf(key))?.pop(),
  };
}
