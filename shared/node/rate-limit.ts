export interface RateLimit {
  /** Takes one token. Returns 0, or the seconds until there is one. `now` in milliseconds. */
  take(key: string, now: number): number;
  /** Returns a token that was taken, because it turned out that the limit is not for this use. */
  giveBack(key: string): void;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** Above this many keys, full buckets are dropped, so that changing addresses cannot fill the memory. */
const MOST_KEYS = 10_000;

/** `limits` is called on each use, because the settings may change. */
export function createRateLimit(limits: () => { requestsPerSecond: number; burst: number }): RateLimit {
  const buckets = new Map<string, Bucket>();

  function sweep(now: number): void {
    const { requestsPerSecond, burst } = limits();
    const refillMs = (burst / requestsPerSecond) * 1000;
    for (const [key, bucket] of buckets) if (now - bucket.at >= refillMs) buckets.delete(key);
    // Still too many: the oldest are dropped, and start again with a full bucket.
    for (const key of buckets.keys()) {
      if (buckets.size < MOST_KEYS) break;
      buckets.delete(key);
    }
  }

  return {
    take(key, now) {
      const { requestsPerSecond, burst } = limits();
      const bucket = buckets.get(key);
      if (bucket === undefined) {
        if (buckets.size >= MOST_KEYS) sweep(now);
        buckets.set(key, { tokens: burst - 1, at: now });
        return 0;
      }
      // A clock that was set back must not take tokens away.
      const passedMs = Math.max(0, now - bucket.at);
      bucket.tokens = Math.min(burst, bucket.tokens + (passedMs / 1000) * requestsPerSecond);
      bucket.at = now;
      if (bucket.tokens < 1) return (1 - bucket.tokens) / requestsPerSecond;
      bucket.tokens -= 1;
      return 0;
    },
    giveBack(key) {
      const bucket = buckets.get(key);
      if (bucket) bucket.tokens = Math.min(limits().burst, bucket.tokens + 1);
    },
  };
}
