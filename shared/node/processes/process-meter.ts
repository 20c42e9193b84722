import { readdirSync } from 'node:fs';
import type { ProcessStats } from '../../contract/stats.ts';

/** How often the event loop's lag is looked at. An idle process wakes up for it and sleeps on. Milliseconds. */
const LOOK_EVERY_MS = 200;
/** A minute of looks: more than lies between two scrapes, so that each scraper sees every peak. */
const LOOKS = 300;
const P99 = Math.floor(LOOKS * 0.99) - 1;

export interface ProcessMeter {
  read(): ProcessStats;
  stop(): void;
}

/** Measures this process from now on. */
export function createProcessMeter(): ProcessMeter {
  // Node's own monitor forgets a stall that begins just after it was reset, and has one reader only.
  const lags = new Float64Array(LOOKS);
  let next = 0;
  let lookedAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    lags[next] = Math.max(0, now - lookedAt - LOOK_EVERY_MS) / 1000;
    next = (next + 1) % LOOKS;
    lookedAt = now;
  }, LOOK_EVERY_MS).unref();

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
        lagMaxSeconds: ascending[LOOKS - 1]!,
        ...(openFiles !== undefined && { openFiles }),
      };
    },
    stop: () => clearInterval(timer),
  };
}

function countOpenFiles(): number | undefined {
  try {
    // One of them is the folder itself.
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return undefined; // Not Linux.
  }
}
