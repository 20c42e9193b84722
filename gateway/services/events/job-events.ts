import { cutOffJob } from '../../../shared/schema/cut-off-job.ts';
import type { Job } from '../../../shared/schema/job.ts';
import type { PassiveJobs } from '../../upstream/passive-jobs.ts';

export interface JobEventsOptions {
  jobs: Pick<PassiveJobs, 'watch'>;
  /** Called for each change of a job; `isNews` is false for mere progress. */
  onChange: (job: Job, isNews: boolean) => void;
  /** Milliseconds since the epoch. */
  now: () => number;
}

export interface JobEvents {
  active(): Iterable<Job>;
  close(): void;
}

/** Follows every job, across restarts of the jobs process. */
export function createJobEvents({ jobs, onChange, now }: JobEventsOptions): JobEvents {
  const since = now();
  const active = new Map<string, Job>();

  function take(job: Job): void {
    const before = active.get(job.jobId);
    if (job.endedAt === undefined) active.set(job.jobId, job);
    else active.delete(job.jobId);
    onChange(job, job.state !== before?.state);
  }

  const stop = jobs.watch((event) => {
    if (event.type === 'changed') {
      take(event.job);
      return;
    }
    const known = new Set(event.jobs.map(({ jobId }) => jobId));
    // The jobs process ended, and the next one does not know these.
    for (const job of [...active.values()]) if (!known.has(job.jobId)) take(cutOffJob(job, now()));
    for (const job of event.jobs) {
      // A job that ended before this process started is old; one that ended while the connection was lost is news.
      if (job.endedAt === undefined || active.has(job.jobId) || Date.parse(job.endedAt) >= since) take(job);
    }
  });
  return { active: () => active.values(), close: stop };
}
