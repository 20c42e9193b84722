import type { Home } from '../../../shared/node/files/home.ts';
import { connectDaemon, type DaemonClient, withClient } from '../../../shared/node/ipc/connect.ts';
import { isAbsence } from './api-client.ts';
import { notRunning } from './failure.ts';

/** Runs `use` with a connection to the daemon. Throws the Failure "not running" if there is none. */
export async function withDaemon<T>(home: Home, use: (daemon: DaemonClient) => Promise<T>): Promise<T> {
  return withClient(connectDaemon(home.daemonSocket), async (daemon) => {
    await daemon.hello().catch((error: unknown) => {
      throw error instanceof Error && isAbsence(error.cause) ? notRunning(error) : error;
    });
    return use(daemon);
  });
}
