import type { DaemonRouter } from '../../shared/contract/daemon.ts';
import { DAEMON_STREAMS, SUPERVISOR_STREAMS } from '../../shared/contract/streams.ts';
import type { SupervisorRouter } from '../../shared/contract/supervisor.ts';
import { createIpcClient, type IpcClient } from '../../shared/node/ipc/client.ts';

/** A supervisor that has to be started first needs a moment; the daemon gives up on it before this. Milliseconds. */
const SUPERVISOR_START_MS = 30_000;

/** The other processes that jobs asks for something. */
export interface Peers {
  readonly daemon: IpcClient<DaemonRouter>['call'];
  /** A connection of its own to the instance's supervisor, which is started if there is none: a hold hangs on it. The caller closes it. */
  supervisor(instanceId: string): Promise<IpcClient<SupervisorRouter>>;
  close(): void;
}

export function connectPeers(daemonSocket: string): Peers {
  const daemon = createIpcClient<DaemonRouter>({
    socketPath: daemonSocket,
    name: 'daemon',
    unavailable: 'daemon_unavailable',
    streams: DAEMON_STREAMS,
  });
  return {
    daemon: daemon.call,
    async supervisor(instanceId) {
      const { socket } = await daemon.call.supervisor(instanceId, { timeoutMs: SUPERVISOR_START_MS });
      return createIpcClient<SupervisorRouter>({
        socketPath: socket,
        name: `supervisor:${instanceId}`,
        unavailable: 'worker_unavailable',
        streams: SUPERVISOR_STREAMS,
      });
    },
    close: () => daemon.close(),
  };
}
