import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { readClocks } from '../../shared/node/primitives/clocks.ts';
import type { CloneInstance } from '../../shared/schema/clone.ts';
import type { Instance } from '../../shared/schema/instance.ts';
import { toInstance } from '../../shared/schema/instance-view.ts';
import type { Jobs } from '../upstream/clients.ts';
import type { InstanceView } from '../upstream/instance-view.ts';
import type { Accepted, JobsService } from './jobs.ts';

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
      return work.accept(await jobs.call.startClone({ ...request, instanceId }), async ({ newInstanceId }) => {
        if (newInstanceId === undefined)
          throw new GamekeeperError('internal_error', 'The clone ended without a result.');
        const { config, runtime } = await view.refresh(newInstanceId);
        return toInstance(config, runtime, readClocks(now));
      });
    },
  };
}
