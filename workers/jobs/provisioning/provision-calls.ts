import type { JobsService } from '../../../shared/contract/jobs.ts';
import { withStorageError } from '../../../shared/node/files/disk-space.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { JobRun } from '../queue/job-entry.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { Provision } from '../queue/steps.ts';
import type { Peers } from '../resources/peers.ts';
import type { Provisioner } from './provision.ts';

export interface ProvisionCallsOptions {
  provisioner: Provisioner;
  queue: JobQueue;
  peers: Peers;
}

export function createProvisionCalls({
  provisioner,
  queue,
  peers,
}: ProvisionCallsOptions): Pick<JobsService, 'provision'> {
  return {
    async *provision(instanceId, signal) {
      const { config } = await peers.daemon.instance(instanceId);
      yield* provisionAsJob(config, { provisioner, queue, signal });
    },
  };
}

/** Runs an installation as a job, without queueing: a start must not wait. If the caller stops reading, the job is cancelled. */
async function* provisionAsJob(
  config: InstanceConfig,
  { queue, provisioner, signal }: { queue: JobQueue; provisioner: Provisioner; signal: AbortSignal },
): AsyncGenerator<Provision> {
  const ended = Promise.withResolvers<void>();
  const run = Promise.withResolvers<JobRun>();
  const { jobId } = queue.add({
    kind: 'provision',
    instanceId: config.id,
    queued: false,
    work(started) {
      run.resolve(started);
      return ended.promise;
    },
  });
  let isOver = false;
  try {
    const started = await run.promise;
    const result = yield* provisioner(config, {
      signal: AbortSignal.any([started.signal, signal]),
      phase: started.phase,
    });
    isOver = true;
    ended.resolve();
    yield { done: result };
  } catch (error) {
    isOver = !signal.aborted;
    const explained = withStorageError(error, 'what the server needs');
    if (isOver) ended.reject(explained);
    throw explained;
  } finally {
    if (!isOver) queue.cancel(jobId);
    ended.reject(signal.reason);
  }
}
