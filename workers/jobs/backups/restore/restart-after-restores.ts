import { isGamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../../../shared/node/logger.ts';
import type { JobQueue } from '../../queue/queue.ts';
import { type Peers, START_TIMEOUT_MS, withSupervisor } from '../../resources/peers.ts';
import type { RestartMarks } from './restart-marks.ts';
import type { SwapJournals } from './swap-journal.ts';

/**
 * Returns the servers that a previous process had stopped for a restore and did not start again. A server whose restore could not be finished
 * waits for the next process. Must be called before new restores can begin.
 */
export async function serversToRestart(
  restarts: RestartMarks,
  journals: Pick<SwapJournals, 'all'>,
): Promise<readonly string[]> {
  const unfinished = (await journals.all()).map(({ instanceId }) => instanceId);
  return (await restarts.all()).filter((id) => !unfinished.includes(id));
}

export interface RestartOptions {
  restarts: RestartMarks;
  queue: Pick<JobQueue, 'active'>;
  peers: Peers;
  log: Logger;
}

/** Starts these servers. What fails is logged; the server itself shows why it did not start. */
export async function restartAfterRestores(wanted: readonly string[], options: RestartOptions): Promise<void> {
  await Promise.all(wanted.map((instanceId) => restart(instanceId, options)));
}

async function restart(instanceId: string, { restarts, queue, peers, log }: RestartOptions): Promise<void> {
  const isRestoring = () => queue.active(instanceId).some(({ kind }) => kind === 'restore');
  try {
    if (isRestoring()) return; // it starts the server, if it has to
    if (await startIfStopped(instanceId, peers))
      log.warn({ instance: instanceId }, 'started a server whose restore was interrupted');
  } catch (error) {
    log.error({ err: error, instance: instanceId }, 'a server could not be started after its interrupted restore');
  }
  if (!isRestoring()) await restarts.remove(instanceId);
}

/** Returns false for a server in any other phase: it was started meanwhile, by its owner or with Gamekeeper. */
async function startIfStopped(instanceId: string, peers: Peers): Promise<boolean> {
  const { phase } = (await peers.daemon.instance(instanceId)).runtime;
  if (phase !== 'stopped' && phase !== 'stopping') return false;
  const options = { timeoutMs: START_TIMEOUT_MS };
  try {
    await withSupervisor(instanceId, peers, ({ call }) =>
      // While it still stops, the latest request decides what follows.
      phase === 'stopped' ? call.start(undefined, options) : call.restart(undefined, options),
    );
    return true;
  } catch (error) {
    if (isGamekeeperError(error, 'invalid_state')) return false;
    throw error;
  }
}
