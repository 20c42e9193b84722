import type { Registry } from '../instances/registry.ts';

/** A server whose supervisor died, until another supervisor takes over. */
export interface PendingRecovery {
  /** When the next attempt is due, by `performance.now()`. */
  dueAt: number;
  /** Fires when the recovery is no longer needed. */
  readonly over: AbortController;
}

/** Which servers wait for another supervisor, and when each should be started again. */
export class PendingRecoveries {
  readonly #registry: Pick<Registry, 'get'>;
  readonly #pending = new Map<string, PendingRecovery>();

  constructor(registry: Pick<Registry, 'get'>) {
    this.#registry = registry;
  }

  /** Begins a recovery and ends the previous one. */
  begin(id: string): PendingRecovery {
    this.#pending.get(id)?.over.abort();
    const pending = { dueAt: 0, over: new AbortController() };
    this.#pending.set(id, pending);
    return pending;
  }

  end(id: string, pending: PendingRecovery): void {
    pending.over.abort();
    if (this.#pending.get(id) === pending) this.#pending.delete(id);
  }

  /**
   * Returns how long the next supervisor should wait before it restarts a server that should run, milliseconds, no matter what starts that
   * supervisor. Until then, a stop cancels the restart. `undefined`: the crash policy allows no restart, or nothing was lost.
   */
  restartInMs(id: string): number | undefined {
    const pending = this.#pending.get(id);
    if (!pending || this.#registry.get(id).config.crashPolicy.restart === 'never') return undefined;
    return Math.max(0, pending.dueAt - performance.now());
  }
}
