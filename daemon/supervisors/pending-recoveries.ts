import type { Phase } from '../../shared/domain/instance/phase.ts';
import type { Registry } from '../instances/registry.ts';

/** A server whose supervisor died, until another supervisor takes over. */
export interface PendingRecovery {
  readonly lastPhase: Phase;
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
  begin(id: string, lastPhase: Phase): PendingRecovery {
    const before = this.#pending.get(id);
    before?.over.abort();
    const pending = {
      // It was lost again before a stop could continue. It should still be stopped.
      lastPhase: before?.lastPhase === 'stopping' ? before.lastPhase : lastPhase,
      dueAt: 0,
      over: new AbortController(),
    };
    this.#pending.set(id, pending);
    return pending;
  }

  end(id: string, pending: PendingRecovery): void {
    pending.over.abort();
    if (this.#pending.get(id) === pending) this.#pending.delete(id);
  }

  /**
   * Returns how long the next supervisor should wait before it restarts the server, milliseconds, no matter what starts that supervisor.
   * Until then, a stop cancels the restart. `undefined`: it should not restart the server.
   */
  restartInMs(id: string): number | undefined {
    const pending = this.#pending.get(id);
    if (!pending || pending.lastPhase === 'sleeping' || pending.lastPhase === 'stopping') return undefined;
    if (this.#registry.get(id).config.crashPolicy.restart === 'never') return undefined;
    return Math.max(0, pending.dueAt - performance.now());
  }
}
