import type { Histogram } from '../domain/histogram.ts';

/** The stats of a process. Plain numbers, since a supervisor cannot afford a metrics library. */
export interface ProcessStats {
  pid: number;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** User and system time since the start. */
  cpuSeconds: number;
  residentBytes: number;
  heapUsedBytes: number;
  heapTotalBytes: number;
  /** Delay of timers in the event loop over the last minute. */
  lagP99Seconds: number;
  lagMaxSeconds: number;
  /** Absent if the operating system does not report it. */
  openFiles?: number;
}

export interface SupervisorStats {
  process: ProcessStats;
  console: {
    /** Complete lines, including Gamekeeper's own. */
    lines: number;
    bytes: number;
    redactions: number;
  };
  rcon: {
    /** Connections made, over all runs of the server. */
    connections: number;
    errors: number;
    latency: Histogram;
  };
}

export interface BackupTotals {
  instanceId: string;
  count: number;
  bytes: number;
  newest: {
    /** Milliseconds since the epoch. */
    at: number;
    durationMs: number;
    bytes: number;
    /** Files and folders that nobody excluded and that it does not contain. */
    omitted: number;
  };
}

export interface JobsStats {
  process: ProcessStats;
  waiting: number;
  running: number;
  backups: BackupTotals[];
  /** Results of backups since the start of this process. */
  attempts: { instanceId: string; made: number; failed: number }[];
}

export interface DaemonStats {
  process: ProcessStats;
  /** How often each process was restarted since the start of the daemon. */
  restarts: {
    gateway: number;
    jobs: number;
    supervisors: { instanceId: string; count: number }[];
  };
}
