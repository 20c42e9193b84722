import type { ProcessStats } from '../upstream/stats.ts';
import { type Family, type Labels, samplesOf } from './family.ts';

export interface ObservedProcess {
  process: 'gateway' | 'daemon' | 'jobs' | 'supervisor';
  instance?: string;
  /** False: it did not answer in time, or does not run though it should. */
  up: boolean;
  stats: ProcessStats | undefined;
  /** How often it was restarted; `undefined` if the daemon did not answer. */
  restarts?: number | undefined;
}

export function processMetrics(processes: readonly ObservedProcess[]): Family[] {
  const labels = ({ process, instance }: ObservedProcess): Labels => ({
    process,
    ...(instance !== undefined && { instance }),
  });
  const metric = (
    type: 'gauge' | 'counter',
    name: string,
    help: string,
    sample: (stats: ProcessStats) => number | undefined,
  ): Family => ({
    name: `gamekeeper_process_${name}`,
    help,
    type,
    samples: samplesOf(processes, labels, ({ stats }) => stats && sample(stats)),
  });
  return [
    {
      name: 'gamekeeper_process_up',
      help: '1 if the process answered during the scrape, 0 if it should have.',
      type: 'gauge',
      samples: samplesOf(processes, labels, ({ up }) => (up ? 1 : 0)),
    },
    metric(
      'gauge',
      'start_time_seconds',
      'Start time of the process, in seconds since the epoch.',
      (it) => it.startedAt / 1000,
    ),
    {
      name: 'gamekeeper_process_restarts_total',
      help: 'Restarts of the process since the start of the daemon.',
      type: 'counter',
      samples: samplesOf(processes, labels, ({ restarts }) => restarts),
    },
    metric('counter', 'cpu_seconds_total', 'CPU time, user and system.', (it) => it.cpuSeconds),
    metric('gauge', 'resident_memory_bytes', 'Resident memory.', (it) => it.residentBytes),
    metric('gauge', 'heap_used_bytes', 'Used JavaScript heap.', (it) => it.heapUsedBytes),
    metric('gauge', 'heap_size_bytes', 'Size of the JavaScript heap.', (it) => it.heapTotalBytes),
    metric('gauge', 'open_fds', 'Open file descriptors.', (it) => it.openFiles),
    metric(
      'gauge',
      'event_loop_lag_p99_seconds',
      'Event loop delay, 99th percentile of the last minute.',
      (it) => it.lagP99Seconds,
    ),
    metric(
      'gauge',
      'event_loop_lag_max_seconds',
      'Event loop delay, maximum of the last minute.',
      (it) => it.lagMaxSeconds,
    ),
  ];
}
