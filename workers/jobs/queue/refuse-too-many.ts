import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Job } from '../../../shared/schema/job.ts';
import { isActive } from './job-entry.ts';
import type { JobQueue } from './queue.ts';

/** Jobs of one kind, running and queued. More than anyone needs, few enough to wait for. */
const MOST_AT_ONCE = 5;

/** Throws `already_in_progress` if too many jobs of this kind have not ended. To be called right before the job is added. */
export function refuseTooMany(queue: JobQueue, { kind, instanceId }: { kind: Job['kind']; instanceId?: string }): void {
  const jobs = instanceId === undefined ? queue.all() : queue.active(instanceId);
  const active = jobs.filter((job) => job.kind === kind && isActive(job)).length;
  if (active >= MOST_AT_ONCE)
    throw new GamekeeperError(
      'already_in_progress',
      `${active} jobs of this kind (${kind}) are already running or queued.`,
      {
        resolution: 'Wait until one is done, or cancel one.',
      },
    );
}
