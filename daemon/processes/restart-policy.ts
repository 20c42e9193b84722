import { type BackOff, backOffDelay } from '../../shared/domain/back-off.ts';

/** Delays of processes of ours that keep dying: at once the first time, then from half a second to half a minute. */
const BACK_OFF: BackOff = { firstMs: 500, maxMs: 30_000 };

/** A process that lived this long was healthy: its next end counts as the first again. Milliseconds. */
const HEALTHY_AFTER_MS = 60_000;

/**
 * When to start a process again that has ended. Pure.
 *
 * `failures` counts the ends before this one that came soon after their start; `lived` is how long this one ran, in milliseconds;
 * `jitter` in [0, 1) spreads the delays. Answers the delay in milliseconds and the count to pass the next time.
 */
export function nextRestart(
  failures: number,
  { lived, jitter }: { lived: number; jitter: number },
): { delayMs: number; failures: number } {
  const before = lived >= HEALTHY_AFTER_MS ? 0 : failures;
  return { delayMs: before === 0 ? 0 : backOffDelay(BACK_OFF, before, jitter), failures: before + 1 };
}
