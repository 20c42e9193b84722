import type { JobsService } from '../../shared/contract/jobs.ts';
import type { JobQueue } from './queue/queue.ts';
import { watchJobs } from './queue/watch-jobs.ts';
import type { InstalledRecords } from './software/installed.ts';

/** Every call of the contract belongs to one room, except those on jobs and `forgetInstance`. */
type RoomCalls = Omit<JobsService, 'waitForJob' | 'jobs' | 'job' | 'watchJobs' | 'cancel'>;

export interface JobsServiceOptions {
  queue: JobQueue;
  records: InstalledRecords;
  forgetMods(instanceId: string): void;
}

export function createJobsService(calls: RoomCalls, { queue, records, forgetMods }: JobsServiceOptions): JobsService {
  return {
    ...calls,
    waitForJob: (jobId, signal) => queue.wait(jobId, signal),
    jobs: () => queue.all(),
    job: (jobId) => queue.find(jobId),
    watchJobs: (signal) => watchJobs(queue, signal),
    cancel: (jobId) => queue.cancel(jobId),
    async forgetInstance(request) {
      await calls.forgetInstance(request);
      if (request.mods) forgetMods(request.instanceId);
      await records.remove(request.instanceId);
    },
  };
}
