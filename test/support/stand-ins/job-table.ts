import type { JobEvent, JobsService } from '../../../shared/contract/jobs.ts';
import type { Job } from '../../../shared/schema/job.ts';
import { eventQueue } from '../http/event-queue.ts';

/** The jobs of a stand-in. They stay running until the stand-in changes them. */
export interface JobTable extends Pick<JobsService, 'jobs' | 'job' | 'watchJobs'> {
  readonly started: { kind: Job['kind']; instanceId: string; cloudReplicate?: boolean }[];
  begin(kind: Job['kind'], instanceId: string, backupId?: string): Job;
  /** Changes a job and notifies its watchers. */
  put(job: Job): void;
}

export function createJobTable(): JobTable {
  const known = new Map<string, Job>();
  const events = eventQueue<JobEvent>();
  const table: JobTable = {
    started: [],
    begin(kind, instanceId, backupId) {
      const job: Job = {
        jobId: `j${known.size + 1}`,
        kind,
        instanceId,
        state: 'running',
        percent: 0,
        bytesDone: 0,
        bytesTotal: 0,
        createdAt: '2026-11-20T08:15:00.000Z',
        ...(backupId !== undefined && { backupId }),
      };
      table.put(job);
      table.started.push({ kind, instanceId });
      return job;
    },
    put(job) {
      known.set(job.jobId, job);
      events.publish({ type: 'changed', job });
    },
    jobs: () => [...known.values()],
    job: (jobId) => known.get(jobId) ?? null,
    async *watchJobs(signal) {
      const changes = events.subscribe(signal);
      yield { type: 'snapshot', jobs: [...known.values()] };
      yield* changes;
    },
  };
  return table;
}
