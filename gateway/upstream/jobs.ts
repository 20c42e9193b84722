import { connectJobs as connect, type JobsClient } from '../../shared/node/ipc/connect.ts';
import type { Daemon } from './daemon.ts';
import { traced } from './traced.ts';

export type { Imported, ModOrder, ScheduleList, ScheduleOwner } from '../../shared/contract/jobs.ts';

export type Jobs = JobsClient;

/** The jobs process, which the daemon starts when it is first asked for. */
export function connectJobs(daemon: Daemon): Jobs {
  return traced(connect(async () => (await daemon.call.jobs()).socket));
}
