import type { ProcessStats } from '../../../shared/contract/stats.ts';

/** The process stats that a stand-in reports. */
export const PROCESS_STATS: ProcessStats = {
  pid: 4711,
  startedAt: 1_795_000_000_000,
  cpuSeconds: 1.5,
  residentBytes: 40_000_000,
  heapUsedBytes: 5_000_000,
  heapTotalBytes: 6_000_000,
  lagP99Seconds: 0.002,
  lagMaxSeconds: 0.25,
  openFiles: 21,
};
