import type { Job } from './job.ts';

/** Returns a job as it is shown after the jobs process ended before the job did. `now` in milliseconds since the epoch. */
export function cutOffJob({ bytesPerSecond: _, remainingSeconds: __, ...job }: Job, now: number): Job {
  const error = { code: 'worker_unavailable', detail: 'The jobs process ended before the job was done.' };
  return { ...job, state: 'failed', endedAt: new Date(now).toISOString(), error };
}
