/** What is longer ago than a few times this hardly counts. Milliseconds. */
const MEMORY_MS = 5_000;
/** Two looks within this time count as one: over so short a span a rate says nothing. Milliseconds. */
const LEAST_SPAN_MS = 250;

/**
 * Bytes per second, smoothed so that a figure can be read: each look weighs what has happened since the last one, older spans fade
 * exponentially. It needs no timer; seldom looks give the mean over the time between them.
 */
export class RateMeter {
  #at: number;
  #done = 0;
  #rate: number | undefined;

  /** `at` in milliseconds, of a clock of the caller's. */
  constructor(at: number) {
    this.#at = at;
  }

  /** The rate when `done` bytes have been counted at `at`; `undefined` while nothing can be said. */
  look(at: number, done: number): number | undefined {
    const span = at - this.#at;
    if (span < LEAST_SPAN_MS) return this.#rate;
    const now = ((done - this.#done) / span) * 1000;
    const weight = this.#rate === undefined ? 1 : 1 - Math.exp(-span / MEMORY_MS);
    this.#rate = (this.#rate ?? 0) * (1 - weight) + now * weight;
    this.#at = at;
    this.#done = done;
    return this.#rate;
  }
}
