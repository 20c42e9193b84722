import { type BackOff, backOffDelay } from '../../domain/back-off.ts';

/** Delays for a process that keeps dying: none the first time, then from half a second to half a minute. */
const BACK_OFF: BackOff = { firstMs: 500, maxMs: 30_000 };

/** A process that lived this long was healthy: its next failure counts as the first. Milliseconds. */
const HEALTHY_AFTER_MS = 60_000;

/**
 * Returns how long to wait before a dead process is started again, in milliseconds, and the count to pass the next time. `failures` counts
 * the earlier deaths soon after a start; `lived` is how long the process ran, in milliseconds; `jitter` in [0, 1) spreads the delays.
 */
export function nextRestart(
  failures: number,
  { lived, jitter }: { lived: number; jitter: number },
): { delayMs: number; failures: number } {
  const before = lived >= HEALTHY_AFTER_MS ? 0 : failures;
  return { delayMs: before === 0 ? 0 : backOffDelay(BACK_OFF, before, jitter), failures: before + 1 };
}
