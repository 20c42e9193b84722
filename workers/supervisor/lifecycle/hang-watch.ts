import type { ListPingFailure } from '../players/list-ping-error.ts';

/** What lies between two pings counts as no more than this: a machine that slept meanwhile has not waited for an answer. Milliseconds. */
const LONGEST_STEP_MS = 10_000;

/**
 * Whether a server hangs, by its answers to the server list's ping. It answers from threads of its own, so that a save, an autosave or a
 * tick that takes long is no silence; only a process that does nothing at all is silent for minutes. What refuses a connection or hangs up
 * is alive: a server that is being stopped from within does so.
 */
export class HangWatch {
  /** Milliseconds of silence since the last sign of life; undefined: it has never answered, and so may be none that does. */
  #silentMs: number | undefined;
  #last = 0;

  /**
   * Takes note of a ping, and answers for how many milliseconds the server has been silent.
   *
   * @param failure why there was no answer; undefined: there was one
   * @param now milliseconds by a clock that nobody sets
   */
  observe(failure: ListPingFailure | undefined, now: number): number {
    const step = Math.min(LONGEST_STEP_MS, now - this.#last);
    this.#last = now;
    if (failure === undefined) this.#silentMs = 0;
    else if (this.#silentMs !== undefined) this.#silentMs = failure === 'timeout' ? this.#silentMs + step : 0;
    return this.#silentMs ?? 0;
  }

  /** It was busy with something that excuses silence: that does not count. */
  excuse(): void {
    if (this.#silentMs !== undefined) this.#silentMs = 0;
  }
}
