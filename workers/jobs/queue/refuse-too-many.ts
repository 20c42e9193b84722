import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Job } from '../../../shared/schema/job.ts';
import { isActive } from './job-entry.ts';
import type { JobQueue } from './queue.ts';

/** Of one kind, running and waiting: more than anybody means to ask for, and few enough to be waited for. */
const MOST_AT_ONCE = 5;

/**
 * Throws `already_in_progress` where many jobs of this kind have not ended yet, of the instance if one is named: what is asked for over
 * and over does not pile up. To be called right before the job is added.
 */
export function refuseTooMany(queue: JobQueue, { kind, instanceId }: { kind: Job['kind']; instanceId?: string }): void {
  const jobs = instanceId === undefined ? queue.all() : queue.active(instanceId);
  const active = jobs.filter((job) => job.kind === kind && isActive(job)).length;
  if (active >= MOST_AT_ONCE)
    throw new GamekeeperError('already_in_progress', `${active} jobs of this kind (${kind}) are under way or wait.`, {
      resolution: 'Wait until one is done, or cancel one.',
    });
}
