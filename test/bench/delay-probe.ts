/**
 * Loaded into the measured processes (`node --import`). On SIGWINCH, which they do not use, it writes the p99 of their event loop's delay
 * since the last time to `$GK_BENCH_DELAYS/<pid>`, in milliseconds.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Interval of the timer that is measured, in milliseconds. Node records the time between two of its runs, so this is subtracted. */
const INTERVAL_MS = 2;

const folder = process.env.GK_BENCH_DELAYS;
if (folder !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: INTERVAL_MS });
  delays.enable();
  process.on('SIGWINCH', () => {
    writeFileSync(join(folder, String(process.pid)), String(Math.max(0, delays.percentile(99) / 1e6 - INTERVAL_MS)));
    delays.reset();
  });
}
