import { setTimeout as delay } from 'node:timers/promises';
import { isToRun } from '../../shared/domain/instance/runtime.ts';
import type { Logger } from '../../shared/node/logger.ts';
import { nextRestart } from '../../shared/node/processes/restart-policy.ts';
import type { Registry } from '../instances/registry.ts';
import type { PendingRecoveries } from './pending-recoveries.ts';
import type { Supervisors } from './supervisors.ts';

export interface RecoveryOptions {
  registry: Registry;
  supervisors: Pick<Supervisors, 'ensure'>;
  pending: PendingRecoveries;
  log: Logger;
  /** Fires when the daemon shuts down; no recovery starts after that. */
  signal: AbortSignal;
  /** Returns how long to wait before each attempt (restart-policy.ts). */
  pause?: typeof nextRestart;
}

/** Gives servers a new supervisor after theirs died. */
export class ServerRecovery {
  readonly #options: RecoveryOptions;
  readonly #history = new Map<string, { failures: number; at: number }>();

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  /**
   * Starts a new supervisor, which continues what is on record: it recovers a game that still runs, or cleans up, and stops, restarts or puts
   * to sleep what should. A server that should run starts again if its crash policy allows it. Retries until a supervisor answers or the
   * server's state has changed otherwise. Never throws.
   */
  async recover(id: string): Promise<void> {
    const { registry, pending: all, log, signal } = this.#options;
    const pending = all.begin(id);
    const { over } = pending;
    void this.#untilChanged(id, over.signal).then(() => over.abort());
    const cancelled = AbortSignal.any([signal, over.signal]);
    for (let done = false; !done; ) {
      const pauseMs = this.#pauseBefore(id);
      pending.dueAt = performance.now() + pauseMs;
      await delay(pauseMs, undefined, { signal: cancelled }).catch(() => undefined); // rejects only if aborted
      if (cancelled.aborted) break;
      done = await this.#attempt(id).then(
        () => true,
        (error: unknown) => {
          if (!signal.aborted) log.error({ err: error, instance: id }, 'a server has no supervisor yet');
          return !registry.has(id);
        },
      );
    }
    all.end(id, pending);
  }

  /** Resolves once a supervisor reports that the server is up or in another state than it was lost in, or that it will start it. */
  async #untilChanged(id: string, over: AbortSignal): Promise<void> {
    const { registry } = this.#options;
    if (!registry.has(id)) return;
    const { phase, crash } = registry.get(id).runtime;
    for await (const event of registry.watch(over)) {
      if (event.type === 'removed' && event.id === id) return;
      if (event.type !== 'changed' || event.instance.config.id !== id) continue;
      const { runtime } = event.instance;
      if (isToRun(runtime) || runtime.phase !== phase || runtime.crash?.at !== crash?.at) return;
    }
  }

  #pauseBefore(id: string): number {
    const { pause = nextRestart } = this.#options;
    const now = performance.now();
    const { failures, at } = this.#history.get(id) ?? { failures: 0, at: now };
    const next = pause(failures, { lived: now - at, jitter: Math.random() });
    this.#history.set(id, { failures: next.failures, at: now });
    return next.delayMs;
  }

  /** Resolves once a supervisor has recovered the server or is about to. If that supervisor dies too, the server counts as lost again. */
  async #attempt(id: string): Promise<void> {
    const { registry, supervisors } = this.#options;
    const { client } = await supervisors.ensure(id);
    registry.observe(id, await client.call.status());
  }
}
