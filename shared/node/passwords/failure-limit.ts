import { createHmac, randomBytes } from 'node:crypto';

/**
 * Failures are counted in a fixed number of slots, so that invented names neither fill the memory nor displace earlier counts. A secret
 * decides which names share a slot, so that nobody can lock out a user by finding a name in the same slot.
 */
const SLOTS = 2 ** 16;

export interface FailureLimitOptions {
  most: number;
  windowMs: number;
  /** Decides which keys share a slot. */
  seed?: Buffer;
}

/** Counts failures per key. `now` in milliseconds. */
export interface FailureLimit {
  /**
   * Counts an attempt as failed until `succeeded` or `withdraw` is called, so that parallel attempts count as well. Returns 0, or the
   * seconds to wait before the next attempt is considered.
   */
  attempt(key: string, now: number): number;
  succeeded(key: string): void;
  /** Takes back the last attempt, which neither succeeded nor failed. */
  withdraw(key: string): void;
}

export function createFailureLimit({ most, windowMs, seed = randomBytes(32) }: FailureLimitOptions): FailureLimit {
  const failures = new Map<number, number[]>();
  const slotOf = (key: string) => createHmac('sha256', seed).update(key).digest().readUInt32BE() % SLOTS;
  return {
    attempt(key, now) {
      const slot = slotOf(key);
      // Failures in the future were counted before the clock was set back.
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
