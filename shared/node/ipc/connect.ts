import type { DaemonRouter } from '../../contract/daemon.ts';
import type { FilesRouter } from '../../contract/files.ts';
import type { JobsRouter } from '../../contract/jobs.ts';
import type { SignInRouter } from '../../contract/sign-in.ts';
import {
  DAEMON_STREAMS,
  FILES_STREAMS,
  JOBS_STREAMS,
  SIGN_IN_STREAMS,
  SUPERVISOR_STREAMS,
} from '../../contract/streams.ts';
import type { SupervisorRouter } from '../../contract/supervisor.ts';
import { createIpcClient, type IpcClient, type IpcClientOptions } from './client.ts';

export type DaemonClient = IpcClient<DaemonRouter>;
export type JobsClient = IpcClient<JobsRouter>;
export type FilesClient = IpcClient<FilesRouter>;
export type SignInClient = IpcClient<SignInRouter>;
export type SupervisorClient = IpcClient<SupervisorRouter>;

/** A path, or a function that is called again for each new connection. */
type SocketPath = IpcClientOptions['socketPath'];

/** Returns a client of the daemon. It connects on the first call; calls throw `daemon_unavailable` while nobody answers. */
export function connectDaemon(socketPath: SocketPath): DaemonClient {
  return createIpcClient({ socketPath, name: 'daemon', unavailable: 'daemon_unavailable', streams: DAEMON_STREAMS });
}

/** Returns a client of the jobs process. Calls throw `worker_unavailable` while nobody answers. */
export function connectJobs(socketPath: SocketPath): JobsClient {
  return createIpcClient({ socketPath, name: 'jobs', unavailable: 'worker_unavailable', streams: JOBS_STREAMS });
}

/** Returns a client of the files process. Calls throw `worker_unavailable` while nobody answers. */
export function connectFiles(socketPath: SocketPath): FilesClient {
  return createIpcClient({ socketPath, name: 'files', unavailable: 'worker_unavailable', streams: FILES_STREAMS });
}

/** Returns a client of the gateway's check of passwords. Calls throw `worker_unavailable` while nobody answers. */
export function connectSignIn(socketPath: SocketPath): SignInClient {
  return createIpcClient({ socketPath, name: 'sign-in', unavailable: 'worker_unavailable', streams: SIGN_IN_STREAMS });
}

/**
 * Returns a client of an instance's supervisor. Calls throw `worker_unavailable` while nobody answers, or while another process listens
 * at a reused path: the peer's hello must carry the instance's id.
 */
export function connectSupervisor(instanceId: string, socketPath: SocketPath): SupervisorClient {
  return createIpcClient({
    socketPath,
    name: `supervisor:${instanceId}`,
    unavailable: 'worker_unavailable',
    streams: SUPERVISOR_STREAMS,
  });
}

/** Runs `use` with a client and closes the client afterwards. Settles like `use`. */
export async function withClient<Client extends { close(): void }, T>(
  client: Client,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  try {
    return await use(client);
  } finally {
    client.close();
  }
}
