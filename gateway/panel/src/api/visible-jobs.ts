import type { Job } from './transport/client.ts';

/** Every run makes or copies another backup, so the next run counts as the same work. */
const ANY_BACKUP = ['backup', 'replicate'];

/**
 * Returns the jobs to show, newest first: active ones, and the latest failure of each kind of work unless it was dismissed
 * (`dismissed` holds job ids). An installation that failed shows as the failed start of its server. Compares only times of the daemon, since
 * the browser's clock may differ.
 */
export function visibleJobs(jobs: readonly Job[], dismissed: readonly string[]): Job[] {
  const newestFirst = jobs.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
  const latest = new Map<string, Job>();
  for (const job of newestFirst) if (!latest.has(workOf(job))) latest.set(workOf(job), job);
  const isFailure = (job: Job) => job.state === 'failed' && job.kind !== 'provision';
  return newestFirst.filter(
    (job) => isActive(job) || (isFailure(job) && latest.get(workOf(job)) === job && !dismissed.includes(job.jobId)),
  );
}

export function isActive({ state }: Job): boolean {
  return state === 'queued' || state === 'running';
}

function workOf({ kind, instanceId, store, backupId }: Job): string {
  return JSON.stringify([kind, instanceId, store, ANY_BACKUP.includes(kind) ? undefined : backupId]);
}
