import type { DaemonRouter } from '../../shared/contract/daemon.ts';
import { DAEMON_STREAMS } from '../../shared/contract/streams.ts';
import { createIpcClient, type IpcClient } from '../../shared/node/ipc/client.ts';
import { traced } from './traced.ts';

export type Daemon = IpcClient<DaemonRouter>;

/** The daemon behind its socket. */
export function connectDaemon(socketPath: string): Daemon {
  return traced(
    createIpcClient<DaemonRouter>({
      socketPath,
      name: 'daemon',
      unavailable: 'daemon_unavailable',
      streams: DAEMON_STREAMS,
    }),
  );
}
