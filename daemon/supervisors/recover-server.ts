import { setTimeout as delay } from 'node:timers/promises';
import type { Phase } from '../../shared/domain/phase.ts';
import { isToRun } from '../../shared/domain/runtime.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../shared/node/logger.ts';
import type { Registry } from '../instances/registry.ts';
import { nextRestart as restartPause } from '../processes/restart-policy.ts';
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

export interface Recovery {
  /**
   * What to do about a server whose supervisor has died: a new supervisor takes over the game where that goes on without the old one, and
   * else ends what is left of it, and starts the server again if that is what its crash policy wants; one that slept sleeps on. Where no
   * supervisor answers, it is tried again until one does, or somebody has seen to the server meanwhile. Never throws.
   */
  recover(id: string, lastPhase: Phase): Promise<void>;
  /**
   * When the next supervisor is to start the server again by itself, in milliseconds, whoever it is that needs one: until then a stop calls
   * that off. `undefined`: nothing is to be started.
   */
  restartInMs(id: string): number | undefined;
}

/** A game that cannot be taken over has 10 s to end before it is killed. Milliseconds. */
const OPERATION_TIMEOUT_MS = 60_000;

/** A server that nobody has seen to yet. */
interface Pending {
  lastPhase: Phase;
  /** Of the next attempt, by `performance.now()`. */
  dueAt: number;
  /** Fires when it is out of date. */
  over: AbortController;
}

export function createRecovery({
  registry,
  supervisors,
  log,
  signal,
  pause = restartPause,
}: RecoveryOptions): Recovery {
  const history = new Map<string, { failures: number; at: number }>();
  const servers = new Map<string, Pending>();

  async function recover(id: string, lastPhase: Phase): Promise<void> {
    const before = servers.get(id);
    before?.over.abort();
    // Lost once more before a stop could go on: it is still to be stopped.
    const pending = {
      lastPhase: before?.lastPhase === 'stopping' ? before.lastPhase : lastPhase,
      dueAt: 0,
      over: new AbortController(),
    };
    servers.set(id, pending);
    void untilSeenTo(id, pending.over.signal).then(() => pending.over.abort());
    const cutShort = AbortSignal.any([signal, pending.over.signal]);
    for (let done = false; !done; ) {
      const pauseMs = pauseBefore(id);
      pending.dueAt = performance.now() + pauseMs;
      await delay(pauseMs, undefined, { signal: cutShort }).catch(() => undefined); // cut short only by the signal
      if (cutShort.aborted) break;
      done = await attempt(id, pending.lastPhase).catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error, instance: id }, 'a server has no supervisor yet');
        return !registry.has(id);
      });
    }
    pending.over.abort();
    if (servers.get(id) === pending) servers.delete(id);
  }

  /** Resolves once a supervisor says that the server has gone on, one way or the other, or has itself taken over what is to be done. */
  async function untilSeenTo(id: string, over: AbortSignal): Promise<void> {
    if (!registry.has(id)) return;
    const { phase, crash } = registry.get(id).runtime;
    for await (const event of registry.watch(over)) {
      if (event.type === 'removed' && event.id === id) return;
      if (event.type !== 'changed' || event.instance.config.id !== id) continue;
      const { runtime } = event.instance;
      if (isToRun(runtime) || runtime.phase !== phase || runtime.crash?.at !== crash?.at) return;
    }
  }

  function pauseBefore(id: string): number {
    const now = performance.now();
    const { failures, at } = history.get(id) ?? { failures: 0, at: now };
    const next = pause(failures, { lived: now - at, jitter: Math.random() });
    history.set(id, { failures: next.failures, at: now });
    return next.delayMs;
  }

  /** Resolves once a supervisor has seen to the server, or is about to: should that one die as well, the server is lost anew. */
  async function attempt(id: string, lastPhase: Phase): Promise<true> {
    const { client } = await supervisors().ensure(id);
    const options = { timeoutMs: OPERATION_TIMEOUT_MS };
    try {
      // Either waits until the new supervisor has seen to what was left.
      if (lastPhase === 'sleeping') await client.call.sleep(undefined, options);
      else if (lastPhase === 'stopping') await client.call.stop(undefined, options);
      else registry.observe(id, await client.call.status(undefined, options));
    } catch (error) {
      const code = error instanceof GamekeeperError ? error.code : undefined;
      if (code === 'worker_unavailable') throw error;
      // One that is gone need not be stopped. What else it refuses, it has seen to.
      if (code !== 'invalid_state') log.error({ err: error, instance: id }, 'a server could not be seen to');
    }
    return true;
  }

  return {
    recover,
    restartInMs(id) {
      const { lastPhase, dueAt } = servers.get(id) ?? {};
      if (dueAt === undefined || lastPhase === 'sleeping' || lastPhase === 'stopping') return undefined;
      if (registry.get(id).config.crashPolicy.restart === 'never') return undefined;
      return Math.max(0, dueAt - performance.now());
    },
  };
}
