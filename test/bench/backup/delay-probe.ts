/**
 * Loaded into the processes that are measured (`node --import`): on SIGWINCH, which means nothing to them, writes how late their event
 * loop was since the last time to `$GK_BENCH_DELAYS/<pid>`: the 99th of a hundred, milliseconds.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How often the loop is looked at, milliseconds. What is recorded is the time between two looks. */
const LOOK_EVERY_MS = 2;

const folder = process.env.GK_BENCH_DELAYS;
if (folder !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: LOOK_EVERY_MS });
  delays.enable();
  process.on('SIGWINCH', () => {
    writeFileSync(join(folder, String(process.pid)), String(Math.max(0, delays.percentile(99) / 1e6 - LOOK_EVERY_MS)));
    delays.reset();
  });
}
