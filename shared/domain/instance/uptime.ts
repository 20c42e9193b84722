import type { InstanceRuntime } from './runtime.ts';

/** The present time on both clocks, milliseconds. */
export interface Clocks {
  /** Since the epoch. Somebody may set this clock. */
  epochMs: number;
  /** On the machine's monotonic clock, which all of its processes share (shared/node/primitives/clocks.ts). */
  monotonicMs: number;
}

/** Returns for how long the game process has been running, milliseconds; `undefined` if there is none. */
export function uptimeOf(
  { startedAt, startedMonotonicMs }: Pick<InstanceRuntime, 'startedAt' | 'startedMonotonicMs'>,
  { epochMs, monotonicMs }: Clocks,
): number | undefined {
  if (startedMonotonicMs !== undefined) return Math.max(0, monotonicMs - startedMonotonicMs);
  // Of a supervisor of an earlier version.
  return startedAt === undefined ? undefined : Math.max(0, epochMs - startedAt);
}
