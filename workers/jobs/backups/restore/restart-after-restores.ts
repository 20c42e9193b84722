import type { Logger } from '../../../../shared/node/logger.ts';
import { type Peers, START_TIMEOUT_MS, withSupervisor } from '../../resources/peers.ts';
import type { RestartMarks } from './restart-marks.ts';
import type { SwapJournals } from './swap-journal.ts';

export interface RestartAfterRestoresOptions {
  restarts: RestartMarks;
  journals: Pick<SwapJournals, 'all'>;
  peers: Peers;
  log: Logger;
}

/**
 * Starts the servers that a previous process had stopped for a restore and did not start again. A server whose restore could not be finished
 * waits for the next attempt. What fails is logged; the server itself shows why it did not start.
 */
export async function restartAfterRestores({
  restarts,
  journals,
  peers,
  log,
}: RestartAfterRestoresOptions): Promise<void> {
  const unfinished = (await journals.all()).map(({ instanceId }) => instanceId);
  const wanted = (await restarts.all()).filter((id) => !unfinished.includes(id));
  for (const instanceId of wanted) {
    try {
      await startIfStopped(instanceId, peers);
      log.warn({ instance: instanceId }, 'started a server whose restore was interrupted');
    } catch (error) {
      log.error({ err: error, instance: instanceId }, 'a server could not be started after its interrupted restore');
    }
    await restarts.remove(instanceId);
  }
}

/** A server in any other phase was started meanwhile, by its owner or with Gamekeeper. */
async function startIfStopped(instanceId: string, peers: Peers): Promise<void> {
  const { phase } = (await peers.daemon.instance(instanceId)).runtime;
  const options = { timeoutMs: START_TIMEOUT_MS };
  await withSupervisor(instanceId, peers, async ({ call }) => {
    if (phase === 'stopped') await call.start(undefined, options);
    // The latest request decides what follows.
    if (phase === 'stopping') await call.restart(undefined, options);
  });
}
