/** Doubling back-off between attempts. Pure: the caller owns clock and randomness. */
export interface BackOff {
  /** Delay before the first retry, milliseconds. */
  firstMs: number;
  /** No delay is longer than this, milliseconds. */
  maxMs: number;
}

/**
 * Delay before retry number `attempt` (1 = the first), in milliseconds.
 * `jitter` in [0, 1) adds up to a fifth, within the limit, so that several things that failed together do not retry together.
 */
export function backOffDelay({ firstMs, maxMs }: BackOff, attempt: number, jitter: number): number {
  return Math.round(Math.min(maxMs, firstMs * 2 ** (attempt - 1) * (1 + jitter / 5)));
}
