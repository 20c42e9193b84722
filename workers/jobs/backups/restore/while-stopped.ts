import { setTimeout as sleep } from 'node:timers/promises';
import { isLive } from '../../../../shared/domain/instance/phase.ts';
import { GamekeeperError, isGamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { type Peers, START_TIMEOUT_MS, withSupervisor } from '../../resources/peers.ts';
import type { RestartMarks } from './restart-marks.ts';

const LOOK_EVERY_MS = 250;
/** Beyond the time that a server has until SIGTERM, and the same again until SIGKILL. Milliseconds. */
const SPARE_MS = 60_000;

export interface WhileStoppedOptions {
  peers: Peers;
  restarts: RestartMarks;
  signal: AbortSignal;
}

/**
 * Stops a server, does the work, and starts it again, also if the work fails, but not if the stop is refused. If this process ends meanwhile,
 * the next one starts it (restart-after-restores.ts). A server that does not run is left stopped. Throws what the work and the calls throw;
 * after work that was done, an error of the start says so.
 */
export async function whileStopped(
  instanceId: string,
  work: () => Promise<void>,
  { peers, restarts, signal }: WhileStoppedOptions,
): Promise<void> {
  const { runtime, config } = await peers.daemon.instance(instanceId);
  if (!isLive(runtime.phase)) return work();
  await restarts.set(instanceId);
  try {
    await withSupervisor(instanceId, peers, ({ call }) => call.stop());
  } catch (error) {
    if (!isDaemonGone(error)) await restarts.remove(instanceId);
    throw error;
  }
  let isDone = false;
  try {
    const deadline = performance.now() + config.stopTimeoutSeconds * 2_000 + SPARE_MS;
    while (isLive((await peers.daemon.instance(instanceId)).runtime.phase)) {
      if (performance.now() > deadline)
        throw new GamekeeperError('invalid_state', `"${instanceId}" does not stop.`, {
          resolution: 'Stop or kill the server, then try again.',
        });
      await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
    await work();
    isDone = true;
  } finally {
    const starting = startAgain(instanceId, { peers, restarts });
    // The reason why the work failed says more.
    await (isDone ? starting.catch(afterwards) : starting.catch(() => undefined));
  }
}

async function startAgain(
  instanceId: string,
  { peers, restarts }: Pick<WhileStoppedOptions, 'peers' | 'restarts'>,
): Promise<void> {
  try {
    // While it still stops, too: the latest request decides what follows.
    await withSupervisor(instanceId, peers, ({ call }) => call.restart(undefined, { timeoutMs: START_TIMEOUT_MS }));
  } catch (error) {
    if (!isDaemonGone(error)) await restarts.remove(instanceId);
    throw error;
  }
  await restarts.remove(instanceId);
}

/** Then this process ends as well, and the next one does what is left. */
function isDaemonGone(error: unknown): boolean {
  return isGamekeeperError(error, 'daemon_unavailable', 'shutting_down');
}

function afterwards(error: unknown): never {
  if (!(error instanceof GamekeeperError)) throw error;
  const { code, message, resolution } = error;
  throw new GamekeeperError(code, `The backup was restored, but the server did not start. ${message}`, {
    resolution,
    cause: error,
  });
}
