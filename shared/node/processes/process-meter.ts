import { readdirSync } from 'node:fs';
import type { ProcessStats } from '../../contract/stats.ts';

/** How often the event loop's lag is measured, milliseconds. */
const SAMPLE_EVERY_MS = 200;
/** A minute of samples, longer than the interval between two scrapes, so that each scraper sees every peak. */
const SAMPLES = 300;
const P99 = Math.floor(SAMPLES * 0.99) - 1;

export interface ProcessMeter {
  read(): ProcessStats;
  stop(): void;
}

/** Measures this process from now on. */
export function createProcessMeter(): ProcessMeter {
  // Node's own monitor misses a stall that begins right after a reset, and allows only one reader.
  const lags = new Float64Array(SAMPLES);
  let next = 0;
  let sampledAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    lags[next] = Math.max(0, now - sampledAt - SAMPLE_EVERY_MS) / 1000;
    next = (next + 1) % SAMPLES;
    sampledAt = now;
  }, SAMPLE_EVERY_MS).unref();

  return {
    read() {
      const { user, system } = process.cpuUsage();
      const { rss, heapUsed, heapTotal } = process.memoryUsage();
      const ascending = lags.toSorted();
      const openFiles = countOpenFiles();
      return {
        pid: process.pid,
        startedAt: Math.round(performance.timeOrigin),
        cpuSeconds: (user + system) / 1e6,
        residentBytes: rss,
        heapUsedBytes: heapUsed,
        heapTotalBytes: heapTotal,
        lagP99Seconds: ascending[P99]!,
        lagMaxSeconds: ascending[SAMPLES - 1]!,
        ...(openFiles !== undefined && { openFiles }),
      };
    },
    stop: () => clearInterval(timer),
  };
}

function countOpenFiles(): number | undefined {
  try {
    // Without the descriptor of the folder itself.
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return undefined; // not Linux
  }
}
