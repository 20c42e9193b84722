import type { JobsService } from '../../../shared/contract/jobs.ts';
import type { JobQueue } from '../queue/queue.ts';
import { type CloneOptions, cloneInstance } from './clone-instance.ts';
import { freeId } from './new-instance-place.ts';

export function createCloneCalls(queue: JobQueue, options: CloneOptions): Pick<JobsService, 'startClone'> {
  const { peers, home } = options;
  return {
    async startClone({ instanceId, ...request }) {
      const { config } = await peers.daemon.instance(instanceId);
      const id = await freeId(request, { peers, home, queue });
      return queue.add({
        kind: 'clone',
        instanceId,
        creates: id,
        queued: true,
        work: (run) => cloneInstance({ source: config, request: { ...request, id } }, run, options),
      });
    },
  };
}
