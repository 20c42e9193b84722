/** Time constant of the smoothing: older changes hardly count. Milliseconds. */
const MEMORY_MS = 5_000;
/** A shorter span says nothing about the rate; the previous rate is returned. Milliseconds. */
const LEAST_SPAN_MS = 250;

/** Bytes per second, smoothed to be readable: older spans fade exponentially with each look. */
export class RateMeter {
  #at: number;
  #done = 0;
  #rate: number | undefined;

  /** `at` is in milliseconds of any clock, the same for all calls. */
  constructor(at: number) {
    this.#at = at;
  }

  /** Returns the rate when `done` bytes have been counted at `at`, or `undefined` if it is not known yet. */
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
