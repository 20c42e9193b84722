import type { Clocks } from '../../domain/instance/uptime.ts';

/** Returns the present time, for values that another process has measured. `performance.now()` starts anew in each process. */
export function readClocks(now: () => number = Date.now): Clocks {
  return { epochMs: now(), monotonicMs: Number(process.hrtime.bigint() / 1_000_000n) };
}
