import type { BackupTotals, JobsStats } from '../../../shared/contract/stats.ts';
import type { ProcessMeter } from '../../../shared/node/processes/process-meter.ts';
import type { JobQueue } from './queue.ts';

export interface JobStatsOptions {
  queue: JobQueue;
  meter: ProcessMeter;
  totals: () => BackupTotals[];
}

/** Counts the results of backups from now on. Returns a function that reads all stats of this process. */
export function createJobStats({ queue, meter, totals }: JobStatsOptions): () => JobsStats {
  const attempts = new Map<string, { made: number; failed: number }>();
  queue.onChange(({ kind, instanceId, state }) => {
    if (kind !== 'backup' || (state !== 'done' && state !== 'failed')) return;
    const count = attempts.get(instanceId) ?? { made: 0, failed: 0 };
    attempts.set(instanceId, count);
    count[state === 'done' ? 'made' : 'failed']++;
  });
  return () => {
    const states = queue.all().map(({ state }) => state);
    return {
      process: meter.read(),
      waiting: states.filter((state) => state === 'queued').length,
      running: states.filter((state) => state === 'running').length,
      backups: totals(),
      attempts: Array.from(attempts, ([instanceId, count]) => ({ instanceId, ...count })),
    };
  };
}
