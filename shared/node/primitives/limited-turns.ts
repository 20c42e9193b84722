import { GamekeeperError } from '../../errors/gamekeeper-error.ts';
import { createMutex } from './mutex.ts';
import { unlessAborted } from './unless-aborted.ts';

/** Each turn takes about a second at most. */
const RETRY_AFTER_SECONDS = 1;

export interface LimitedTurnsOptions {
  mostWaiting: number;
  /** The calls, in the plural, for the error. */
  what: string;
}

/**
 * Runs expensive calls of one kind one at a time and lets only a few wait, so that no number of callers can keep the process's only thread
 * from everything else.
 */
export class LimitedTurns {
  readonly #options: LimitedTurnsOptions;
  readonly #mutex = createMutex();
  /** Calls that wait or run. */
  #open = 0;

  constructor(options: LimitedTurnsOptions) {
    this.#options = options;
  }

  /**
   * Settles like the call, or rejects with the signal's reason if it fires first; a call that still waits is then never begun. Throws
   * `rate_limited` if too many calls wait.
   */
  async run<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { mostWaiting, what } = this.#options;
    if (this.#open > mostWaiting)
      throw new GamekeeperError('rate_limited', `Too many ${what} are waiting.`, {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    this.#open++;
    try {
      const turn = this.#mutex.run(() => {
        signal?.throwIfAborted();
        return call();
      });
      return await (signal ? unlessAborted(turn, signal) : turn);
    } finally {
      this.#open--;
    }
  }
}
