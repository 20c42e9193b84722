import type { DaemonClient, FilesClient, JobsClient } from '../../shared/node/ipc/connect.ts';
import {
  connectDaemon as connectToDaemon,
  connectFiles as connectToFiles,
  connectJobs as connectToJobs,
} from '../../shared/node/ipc/connect.ts';
import { READY_TIMEOUT_MS } from '../../shared/node/processes/spawn.ts';
import { traced } from './traced.ts';

export type { UploadOwner } from '../../shared/contract/files.ts';
export type {
  BackupFile,
  Imported,
  ImportOrder,
  ModOrder,
  ScheduleList,
  ScheduleOwner,
} from '../../shared/contract/jobs.ts';

/** Starting a process can take as long as the daemon waits for it. */
const STARTING = { timeoutMs: READY_TIMEOUT_MS + 5_000 };

export type Daemon = DaemonClient;
export type Jobs = JobsClient;
export type Files = FilesClient;

export function connectDaemon(socketPath: string): Daemon {
  return traced(connectToDaemon(socketPath));
}

/** The daemon starts the jobs process on the first call. */
export function connectJobs(daemon: Daemon): Jobs {
  return traced(connectToJobs(async () => (await daemon.call.jobs(undefined, STARTING)).socket));
}

/** The daemon starts the files process on the first call. */
export function connectFiles(daemon: Daemon): Files {
  return traced(connectToFiles(async () => (await daemon.call.files(undefined, STARTING)).socket));
}
