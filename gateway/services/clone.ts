import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { CloneInstance } from '../../shared/schema/clone.ts';
import type { Instance } from '../../shared/schema/instance.ts';
import { toInstance } from '../../shared/schema/instance-view.ts';
import type { Jobs } from '../upstream/clients.ts';
import type { InstanceView } from '../upstream/instance-view.ts';
import type { Accepted } from './backups.ts';
import type { JobsService } from './jobs.ts';

/** Copies of servers. */
export interface CloneService {
  clone(instanceId: string, request: CloneInstance): Promise<Accepted<Instance>>;
}

export interface CloneOptions {
  view: InstanceView;
  jobs: Jobs;
  work: JobsService;
  now: () => number;
}

export function createCloneService({ view, jobs, work, now }: CloneOptions): CloneService {
  return {
    async clone(instanceId, request) {
      await view.get(instanceId);
      const job = await jobs.call.startClone({ ...request, instanceId });
      return {
        job,
        async done() {
          const { newInstanceId } = await work.finished(job);
          if (newInstanceId === undefined) throw new GamekeeperError('internal_error', 'There is no copy.');
          const { config, runtime } = await view.refresh(newInstanceId);
          return toInstance(config, runtime, now());
        },
      };
    },
  };
}
