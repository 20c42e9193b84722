import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Job } from '../../shared/schema/job.ts';
import type { Jobs } from '../upstream/jobs.ts';

/** Long work: seen, awaited, cancelled. */
export interface JobsService {
  list(): Promise<Job[]>;
  get(jobId: string): Promise<Job>;
  cancel(jobId: string): Promise<void>;
  /** Resolves when the job is done; throws what made it fail. */
  finished(job: Job): Promise<Job>;
}

export function jobsService({ jobs }: { jobs: Jobs }): JobsService {
  async function get(jobId: string): Promise<Job> {
    const job = await jobs.call.job(jobId);
    if (!job) throw new GamekeeperError('job_not_found', `There is no job "${jobId}".`);
    return job;
  }
  return {
    list: () => jobs.call.jobs(),
    get,
    async cancel(jobId) {
      await get(jobId);
      await jobs.call.cancel(jobId);
    },
    async finished(job) {
      const ended = await jobs.call.waitForJob(job.jobId, { timeoutMs: 0 });
      if (ended.state === 'cancelled') throw new GamekeeperError('invalid_state', `The ${job.kind} was cancelled.`);
      return ended;
    },
  };
}
