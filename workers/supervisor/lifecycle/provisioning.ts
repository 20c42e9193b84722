import type { Provisioned } from '../../../shared/contract/jobs.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import { connectDaemon, connectJobs } from '../../../shared/node/ipc/connect.ts';

/** Starting the jobs process takes the daemon a moment on a busy machine. */
const JOBS_START_TIMEOUT_MS = 30_000;

/**
 * Has the jobs process put in place what a start needs. The daemon is asked where it is, each time: both may have been replaced. Throws
 * `daemon_unavailable` or `worker_unavailable` where they cannot be reached, and what jobs throws.
 */
export async function* provisionByJobs(
  home: Home,
  instanceId: string,
  signal: AbortSignal,
): AsyncGenerator<{ progress: string } | { done: Provisioned }> {
  const daemon = connectDaemon(home.daemonSocket);
  const jobs = connectJobs(
    async () => (await daemon.call.jobs(undefined, { timeoutMs: JOBS_START_TIMEOUT_MS, signal })).socket,
  );
  try {
    yield* jobs.call.provision(instanceId, { signal });
  } finally {
    jobs.close();
    daemon.close();
  }
}
