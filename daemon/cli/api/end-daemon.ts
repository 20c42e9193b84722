import { setTimeout as delay } from 'node:timers/promises';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { DaemonClient } from '../../../shared/node/ipc/connect.ts';
import { identifyProcess, isAlive } from '../../../shared/node/processes/process-identity.ts';

const LOOK_EVERY_MS = 20;

/** Ends the daemon and passes its messages to `note`. Resolves when its process is gone or `signal` fires. */
export async function endDaemon(
  daemon: DaemonClient,
  { withServers, note, signal }: { withServers: boolean; note: (line: string) => void; signal?: AbortSignal },
): Promise<void> {
  const identity = await identifyProcess((await daemon.hello()).pid);
  try {
    for await (const line of daemon.call.shutdown(withServers, { ...(signal && { signal }) })) note(line);
  } catch (error) {
    // The connection ends with the daemon.
    if (!(error instanceof GamekeeperError) || error.code !== 'daemon_unavailable') throw error;
  }
  while (identity && !signal?.aborted && (await isAlive(identity))) await delay(LOOK_EVERY_MS);
}
