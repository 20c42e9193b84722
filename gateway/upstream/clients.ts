import type { DaemonClient, JobsClient } from '../../shared/node/ipc/connect.ts';
import { connectDaemon as connectToDaemon, connectJobs as connectToJobs } from '../../shared/node/ipc/connect.ts';
import { traced } from './traced.ts';

export type { BackupFile, Imported, ModOrder, ScheduleList, ScheduleOwner } from '../../shared/contract/jobs.ts';

export type Daemon = DaemonClient;
export type Jobs = JobsClient;

export function connectDaemon(socketPath: string): Daemon {
  return traced(connectToDaemon(socketPath));
}

/** The daemon starts the jobs process on the first call. */
export function connectJobs(daemon: Daemon): Jobs {
  return traced(connectToJobs(async () => (await daemon.call.jobs()).socket));
}
