import {
  connectDaemon,
  connectSupervisor,
  type DaemonClient,
  type SupervisorClient,
} from '../../../shared/node/ipc/connect.ts';

/** A supervisor that has to be started first needs a moment; the daemon gives up on it before this. Milliseconds. */
const SUPERVISOR_START_MS = 30_000;

/** The other processes that jobs asks for something. */
export interface Peers {
  readonly daemon: DaemonClient['call'];
  /** A connection of its own to the instance's supervisor, which is started if there is none: a hold hangs on it. The caller closes it. */
  supervisor(instanceId: string): Promise<SupervisorClient>;
  close(): void;
}

export function connectPeers(daemonSocket: string): Peers {
  const daemon = connectDaemon(daemonSocket);
  return {
    daemon: daemon.call,
    async supervisor(instanceId) {
      const { socket } = await daemon.call.supervisor(instanceId, { timeoutMs: SUPERVISOR_START_MS });
      return connectSupervisor(instanceId, socket);
    },
    close: () => daemon.close(),
  };
}
