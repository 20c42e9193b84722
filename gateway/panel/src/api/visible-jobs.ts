import type { components } from './schema.d.ts';

type Job = components['schemas']['Job'];

/** Of a later job with another backup as well: each of these makes or copies one of its own. */
const SAME_WITH_ANY_BACKUP = ['backup', 'replicate'];

/**
 * What somebody has to know of, the newest first: work under way, and what failed until the same work is done anew or somebody has taken
 * note (`dismissed`, by id). Who came when is told by the daemon's times alone: the clock of a browser may be another.
 */
export function unsettledJobs(jobs: readonly Job[], dismissed: readonly string[]): Job[] {
  const newestFirst = jobs.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
  const newestOf = new Map<string, Job>();
  for (const job of newestFirst) if (!newestOf.has(workOf(job))) newestOf.set(workOf(job), job);
  return newestFirst.filter(
    (job) =>
      isUnderWay(job) ||
      (job.state === 'failed' && newestOf.get(workOf(job)) === job && !dismissed.includes(job.jobId)),
  );
}

export function isUnderWay({ state }: Job): boolean {
  return state === 'queued' || state === 'running';
}

function workOf({ kind, instanceId, store, backupId }: Job): string {
  return JSON.stringify([kind, instanceId, store, SAME_WITH_ANY_BACKUP.includes(kind) ? undefined : backupId]);
}
