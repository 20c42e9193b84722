import { setTimeout as delay } from 'node:timers/promises';
import type { Phase } from '../shared/domain/phase.ts';
import { GamekeeperError } from '../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../shared/node/logger.ts';
import type { Registry } from './registry.ts';
import { nextRestart as restartPause } from './restart-policy.ts';
import type { Supervisors } from './supervisors.ts';

export interface RecoveryOptions {
  registry: Registry;
  supervisors(): Pick<Supervisors, 'ensure'>;
  log: Logger;
  /** Fires when the daemon shuts down: nothing is recovered any more. */
  signal: AbortSignal;
  /** How long to wait before each attempt; restart-policy.ts. */
  pause?: typeof restartPause;
}

/** A game that cannot be taken over has 10 s to end before it is killed, and then the start has to be prepared. Milliseconds. */
const OPERATION_TIMEOUT_MS = 60_000;

/**
 * What to do about a server whose supervisor has died: a new supervisor takes over the game where that goes on without the old one, and
 * else ends what is left of it, and starts the server again if that is what its crash policy wants; one that slept
 * sleeps on. Where no supervisor answers, it is tried again until one does: until then nobody looks after the game. Never throws.
 */
export function createRecovery({ registry, supervisors, log, signal, pause = restartPause }: RecoveryOptions) {
  const history = new Map<string, { failures: number; at: number }>();

  return async function recover(id: string, lastPhase: Phase): Promise<void> {
    for (let done = false; !done; ) {
      await delay(pauseBefore(id), undefined, { signal }).catch(() => undefined); // cut short only by the signal
      if (signal.aborted) return;
      done = await attempt(id, lastPhase).catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error, instance: id }, 'a server has no supervisor yet');
        return signal.aborted || !registry.has(id);
      });
    }
  };

  function pauseBefore(id: string): number {
    const now = performance.now();
    const { failures, at } = history.get(id) ?? { failures: 0, at: now };
    const next = pause(failures, { lived: now - at, jitter: Math.random() });
    history.set(id, { failures: next.failures, at: now });
    return next.delayMs;
  }

  /** Resolves once a supervisor has seen to the server. */
  async function attempt(id: string, lastPhase: Phase): Promise<true> {
    const { crashPolicy } = registry.get(id).config;
    const { client } = await supervisors().ensure(id);
    // Either waits until the new supervisor has seen to what was left.
    const options = { timeoutMs: OPERATION_TIMEOUT_MS };
    try {
      if (lastPhase === 'sleeping') await client.call.sleep(undefined, options);
      else if (lastPhase === 'stopping') await client.call.stop(undefined, options);
      else if (crashPolicy.restart !== 'never') await client.call.start(undefined, options);
    } catch (error) {
      const code = error instanceof GamekeeperError ? error.code : undefined;
      if (code === 'worker_unavailable') throw error;
      // A game that goes on need not be started, and one that is gone not be stopped. What else it refuses, it has seen to.
      if (code !== 'invalid_state') log.error({ err: error, instance: id }, 'a server could not be started again');
    }
    return true;
  }
}
