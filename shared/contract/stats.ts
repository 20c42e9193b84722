import type { Histogram } from '../domain/histogram.ts';

/** How a process fares, as it says itself. Plain numbers: a supervisor has no room for a metrics library. */
export interface ProcessStats {
  pid: number;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** User and system, since the start. */
  cpuSeconds: number;
  residentBytes: number;
  heapUsedBytes: number;
  heapTotalBytes: number;
  /** How much later than due the event loop came to its timers, over the last minute. */
  lagP99Seconds: number;
  lagMaxSeconds: number;
  /** Where the system tells. */
  openFiles?: number;
}

/** A supervisor's stats; counts are since its own start. */
export interface SupervisorStats {
  process: ProcessStats;
  console: {
    /** Whole lines, ours included. */
    lines: number;
    /** As the game printed them. */
    bytes: number;
    /** Finds that were replaced. */
    redactions: number;
  };
  rcon: {
    /** Made, over all runs of the server. */
    connections: number;
    /** Commands that got no answer. */
    errors: number;
    /** Seconds from a command to its whole answer. */
    latency: Histogram;
  };
}

/** The backups that there are of one instance, on this machine. */
export interface BackupTotals {
  instanceId: string;
  count: number;
  bytes: number;
  newest: {
    /** Milliseconds since the epoch. */
    at: number;
    durationMs: number;
    bytes: number;
  };
}

export interface JobsStats {
  process: ProcessStats;
  /** Jobs in the queue, and jobs under way. */
  waiting: number;
  running: number;
  backups: BackupTotals[];
  /** How backups ended since this process began. */
  attempts: { instanceId: string; made: number; failed: number }[];
}

export interface DaemonStats {
  process: ProcessStats;
  /** How often each process had to be started again since the daemon began. */
  restarts: {
    gateway: number;
    jobs: number;
    supervisors: { instanceId: string; count: number }[];
  };
}
