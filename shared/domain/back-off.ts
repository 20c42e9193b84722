export interface BackOff {
  firstMs: number;
  maxMs: number;
}

/**
 * Returns the delay before retry number `attempt` (1 is the first), in milliseconds. `jitter` in [0, 1) adds up to a fifth, so that
 * simultaneous failures are not retried at the same moment.
 */
export function backOffDelay({ firstMs, maxMs }: BackOff, attempt: number, jitter: number): number {
  return Math.round(Math.min(maxMs, firstMs * 2 ** (attempt - 1) * (1 + jitter / 5)));
}
