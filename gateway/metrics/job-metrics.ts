import type { BackupTotals, JobsStats } from '../upstream/stats.ts';
import { type Family, type Labels, samplesOf } from './family.ts';

export interface JobMetricsOptions {
  /** `undefined`: the jobs process does not run or does not answer; then there are no series. */
  stats: JobsStats | undefined;
  labels: (instance: string) => Labels | undefined;
  /** Milliseconds since the epoch. */
  now: number;
}

export function jobMetrics({ stats, labels, now }: JobMetricsOptions): Family[] {
  const known = <T extends { instanceId: string }>(items: readonly T[] = []) =>
    items.flatMap((item) => {
      const own = labels(item.instanceId);
      return own ? [{ ...item, labels: own }] : [];
    });
  const labelsOf = (item: { labels: Labels }) => item.labels;
  const backups = known(stats?.backups);
  const attempts = known(stats?.attempts);

  const gauge = (name: string, help: string, sample: (totals: BackupTotals) => number): Family => ({
    name: `gamekeeper_${name}`,
    help,
    type: 'gauge',
    samples: samplesOf(backups, labelsOf, sample),
  });
  const counter = (
    name: string,
    help: string,
    sample: (attempt: { made: number; failed: number }) => number,
  ): Family => ({
    name: `gamekeeper_${name}_total`,
    help,
    type: 'counter',
    samples: samplesOf(attempts, labelsOf, sample),
  });
  const queue = (name: string, help: string, value: number | undefined): Family => ({
    name: `gamekeeper_jobs_${name}`,
    help,
    type: 'gauge',
    samples: value === undefined ? [] : [{ labels: {}, value }],
  });
  return [
    queue('waiting', 'Queued jobs.', stats?.waiting),
    queue('running', 'Running jobs.', stats?.running),
    gauge('backups', 'Number of backups on this machine.', ({ count }) => count),
    gauge('backups_size_bytes', 'Size of all backups on this machine.', ({ bytes }) => bytes),
    gauge(
      'backup_last_success_timestamp_seconds',
      'Time of the newest backup, in seconds since the epoch.',
      ({ newest }) => newest.at / 1000,
    ),
    gauge('backup_last_success_age_seconds', 'Age of the newest backup.', ({ newest }) =>
      Math.max(0, (now - newest.at) / 1000),
    ),
    gauge(
      'backup_last_success_duration_seconds',
      'Duration of the newest backup.',
      ({ newest }) => newest.durationMs / 1000,
    ),
    gauge('backup_last_success_size_bytes', 'Size of the newest backup.', ({ newest }) => newest.bytes),
    gauge(
      'backup_last_success_omitted',
      'Files and folders that nobody excluded and that the newest backup does not contain.',
      ({ newest }) => newest.omitted,
    ),
    counter('backups_made', 'Backups made since the start of the jobs process.', ({ made }) => made),
    counter('backup_failures', 'Failed backups since the start of the jobs process.', ({ failed }) => failed),
  ];
}
