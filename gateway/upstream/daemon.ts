import { connectDaemon as connect, type DaemonClient } from '../../shared/node/ipc/connect.ts';
import { traced } from './traced.ts';

export type Daemon = DaemonClient;

/** The daemon behind its socket. */
export function connectDaemon(socketPath: string): Daemon {
  return traced(connect(socketPath));
}
