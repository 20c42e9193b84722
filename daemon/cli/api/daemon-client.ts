import type { DaemonRouter } from '../../../shared/contract/daemon.ts';
import { DAEMON_STREAMS } from '../../../shared/contract/streams.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import { createIpcClient, type IpcClient } from '../../../shared/node/ipc/client.ts';
import { isAbsence } from './api-client.ts';
import { notRunning } from './failure.ts';

/** Does `use` with a connection to the daemon itself. Throws the Failure "not running" when there is none. */
export async function withDaemon<T>(home: Home, use: (daemon: IpcClient<DaemonRouter>) => Promise<T>): Promise<T> {
  const daemon = createIpcClient<DaemonRouter>({
    socketPath: home.daemonSocket,
    name: 'daemon',
    unavailable: 'daemon_unavailable',
    streams: DAEMON_STREAMS,
  });
  try {
    await daemon.hello().catch((error: unknown) => {
      throw error instanceof Error && isAbsence(error.cause) ? notRunning(error) : error;
    });
    return await use(daemon);
  } finally {
    daemon.close();
  }
}
