import type { ListPingFailure } from '../../../shared/node/list-ping/list-ping-error.ts';

/** The time between two pings counts as at most this, because the machine may have been suspended meanwhile. Milliseconds. */
const LONGEST_STEP_MS = 10_000;

/**
 * Detects a hanging server by its answers to list pings. A server answers them from separate threads, so a save or a slow tick does not
 * silence it; only a process that does nothing at all is silent for minutes. A refused or closed connection is a sign of life: a server
 * that is stopping does that.
 */
export class HangWatch {
  /** Milliseconds of silence since the last sign of life; `undefined` before the first answer, since the game may not support pings. */
  #silentMs: number | undefined;
  #last = 0;

  /**
   * Records a ping. Returns for how many milliseconds the server has been silent. `failure` is why there was no answer, `undefined` if
   * there was one; `now` is in milliseconds of a monotonic clock.
   */
  observe(failure: ListPingFailure | undefined, now: number): number {
    const step = Math.min(LONGEST_STEP_MS, now - this.#last);
    this.#last = now;
    if (failure === undefined) this.#silentMs = 0;
    else if (this.#silentMs !== undefined) this.#silentMs = failure === 'timeout' ? this.#silentMs + step : 0;
    return this.#silentMs ?? 0;
  }

  /** Restarts the measurement, because the server was busy. */
  excuse(): void {
    if (this.#silentMs !== undefined) this.#silentMs = 0;
  }
}
