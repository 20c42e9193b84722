import type { RecordedWork } from '../../../shared/contract/daemon/instances.ts';
import {
  connectDaemon,
  connectSupervisor,
  type DaemonClient,
  type SupervisorClient,
} from '../../../shared/node/ipc/connect.ts';
import type { Logger } from '../../../shared/node/logger.ts';

/** The supervisor may have to be started first. Longer than the daemon's own limit. Milliseconds. */
const SUPERVISOR_START_MS = 30_000;
/** Before it accepts a start, the supervisor checks folder, ports and software. Milliseconds. */
export const START_TIMEOUT_MS = 60_000;

export interface Peers {
  readonly daemon: DaemonClient['call'];
  /** Connects to the instance's supervisor, which is started if needed. The caller closes the connection; a folder lock ends with it. */
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

/** Does work with an instance's supervisor, which is started if needed. */
export async function withSupervisor<T>(
  instanceId: string,
  peers: Peers,
  work: (client: SupervisorClient) => Promise<T>,
): Promise<T> {
  const client = await peers.supervisor(instanceId);
  try {
    return await work(client);
  } finally {
    client.close();
  }
}

/** Adds completed work to the history of an instance. Logs a failure: the work itself has succeeded. */
export async function recordWork(
  work: { instanceId: string; kind: RecordedWork },
  { peers, log }: { peers: Peers; log: Logger },
): Promise<void> {
  try {
    await peers.daemon.recordWork(work);
  } catch (error) {
    log.warn({ err: error, instance: work.instanceId }, 'completed work is missing in the history');
  }
}
