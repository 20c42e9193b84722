import type { JobsService } from '../../../shared/contract/jobs.ts';
import type { JobQueue } from '../queue/queue.ts';
import { refuseBeyond } from '../queue/refuse-too-many.ts';
import { type CloneParts, cloneInstance } from './clone-instance.ts';
import { freeId } from './new-instance-place.ts';

/** Copies of servers. */
export function cloneCalls(
  parts: CloneParts & { queue: JobQueue; folderOf(id: string): string },
): Pick<JobsService, 'startClone'> {
  return {
    async startClone({ instanceId, ...request }) {
      const { config } = await parts.peers.daemon.instance(instanceId);
      const id = await freeId(request, parts);
      refuseBeyond(parts.queue, { kind: 'clone', instanceId });
      return parts.queue.add({
        kind: 'clone',
        instanceId,
        queued: true,
        work: (run) => cloneInstance({ source: config, request: { ...request, id } }, run, parts),
      });
    },
  };
}
