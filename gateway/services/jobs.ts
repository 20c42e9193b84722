import { canSee, type Holder, rightsOn } from '../../shared/domain/access/rights.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Job } from '../../shared/schema/job.ts';
import { requireRights } from '../auth/access.ts';
import { needs } from '../http/operation.ts';
import type { Jobs } from '../upstream/clients.ts';

/** Long work that has begun: its job, and its result once it is done. */
export interface Accepted<Answer> {
  job: Job;
  done(): Promise<Answer>;
}

/** Long work. Jobs of instances that `by` cannot see are hidden. */
export interface JobsService {
  list(by: Holder): Promise<Job[]>;
  get(jobId: string, by: Holder): Promise<Job>;
  /** Throws `insufficient_scope` if `by` may not change the job's instance. */
  cancel(jobId: string, by: Holder): Promise<void>;
  /** Resolves when the job is done; throws the error that made it fail. */
  finished(job: Job): Promise<Job>;
  /** Pairs a job with the result to return when it is done. */
  accept<Answer>(job: Job, answer: (ended: Job) => Promise<Answer> | Answer): Accepted<Answer>;
}

const CANCELLING = needs('servers:write');

export function createJobsService({ jobs }: { jobs: Jobs }): JobsService {
  async function get(jobId: string, by: Holder): Promise<Job> {
    const job = await jobs.call.job(jobId);
    if (!job || !canSee(by, job.instanceId)) throw new GamekeeperError('job_not_found', `There is no job "${jobId}".`);
    return shownTo(job, by);
  }

  async function finished(job: Job): Promise<Job> {
    const ended = await jobs.call.waitForJob(job.jobId, { timeoutMs: 0 });
    if (ended.state === 'cancelled') throw new GamekeeperError('invalid_state', `The ${job.kind} was cancelled.`);
    return ended;
  }

  return {
    async list(by) {
      const all = await jobs.call.jobs();
      return all.filter(({ instanceId }) => canSee(by, instanceId)).map((job) => shownTo(job, by));
    },
    get,
    async cancel(jobId, by) {
      const { instanceId } = await get(jobId, by);
      requireRights(CANCELLING, rightsOn(by, instanceId)!);
      await jobs.call.cancel(jobId);
    },
    finished,
    accept: (job, answer) => ({ job, done: async () => answer(await finished(job)) }),
  };
}

/** A user may see an instance without seeing its copies. */
function shownTo({ newInstanceId, ...job }: Job, by: Holder): Job {
  return newInstanceId !== undefined && canSee(by, newInstanceId) ? { ...job, newInstanceId } : job;
}
