const FIRST_MS = 30_000;
const MOST_MS = 60_000;
/** A proxy that has refused this daemon may accept it again, for example after a restore of its database. No `Retry-After` is longer. */
export const REFUSED_RETRY_MS = 3_600_000;

/**
 * Returns how long to wait before connecting again, in milliseconds: anything up to 30 s after a link was lost (`failures` 0), up to 60 s
 * after failed attempts. A proxy that restarts loses thousands of links at once, and must not get them back at once. `random` in [0, 1).
 */
export function reconnectDelay(failures: number, { random, retryAfterMs }: { random: number; retryAfterMs: number }) {
  return Math.max(
    Math.min(retryAfterMs, REFUSED_RETRY_MS),
    Math.round(random * Math.min(MOST_MS, FIRST_MS * 2 ** failures)),
  );
}
