import { setTimeout as delay } from 'node:timers/promises';
import type { Phase } from '../shared/domain/phase.ts';
import { GamekeeperError } from '../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../shared/node/logger.ts';
import type { Registry } from './registry.ts';
import { nextRestart } from './restart-policy.ts';
import type { Supervisors } from './supervisors.ts';

export interface RecoveryOptions {
  registry: Registry;
  supervisors(): Pick<Supervisors, 'ensure'>;
  log: Logger;
  /** Fires when the daemon shuts down: nothing is recovered any more. */
  signal: AbortSignal;
}

/** A game that cannot be taken over has 10 s to end before it is killed, and then the start has to be prepared. Milliseconds. */
const OPERATION_TIMEOUT_MS = 60_000;

/**
 * What to do about a server whose supervisor has died: a new supervisor takes over the game where that goes on without the old one, and
 * else ends what is left of it, and starts the server again if that is what its crash policy wants; one that slept
 * sleeps on. Never throws.
 */
export function createRecovery({ registry, supervisors, log, signal }: RecoveryOptions) {
  const history = new Map<string, { failures: number; at: number }>();

  return async function recover(id: string, lastPhase: Phase): Promise<void> {
    const now = performance.now();
    const { failures, at } = history.get(id) ?? { failures: 0, at: now };
    const next = nextRestart(failures, { lived: now - at, jitter: Math.random() });
    history.set(id, { failures: next.failures, at: now });
    try {
      await delay(next.delayMs, undefined, { signal });
      const { crashPolicy } = registry.get(id).config;
      const { client } = await supervisors().ensure(id);
      // Either waits until the new supervisor has seen to what was left.
      const options = { timeoutMs: OPERATION_TIMEOUT_MS };
      if (lastPhase === 'sleeping') await client.call.sleep(undefined, options);
      else if (lastPhase === 'stopping') await client.call.stop(undefined, options).catch(unlessDone);
      else if (crashPolicy.restart !== 'never') await client.call.start(undefined, options).catch(unlessDone);
    } catch (error) {
      if (!signal.aborted) log.error({ err: error, instance: id }, 'a server could not be recovered');
    }
  };
}

/** A game that goes on need not be started, and one that is gone not be stopped. */
function unlessDone(error: unknown): void {
  if (!(error instanceof GamekeeperError && error.code === 'invalid_state')) throw error;
}
