/** Vanilla's target: 20 ticks per second. */
export const TICK_MS = 50;
/** Number of ticks that vanilla reports. */
const TICKS = 100;

/** The durations of the last 100 ticks: the work of the main thread, plus `lagMs`. */
export class TickTimes {
  /** Added to each tick, in milliseconds, to simulate a slow server. */
  lagMs = 0;
  #work: { readonly at: number; readonly ms: number }[] = [];

  /** Records work that began at `at`, in milliseconds of the same clock as `at()`. */
  worked(at: number, ms: number): void {
    this.#work = this.#work.filter((piece) => piece.at > at - TICKS * TICK_MS);
    this.#work.push({ at, ms });
  }

  /** Returns the durations in milliseconds, oldest first. Work belongs to the tick in which it began. */
  at(now: number): number[] {
    const ticks = new Array<number>(TICKS).fill(this.lagMs);
    for (const { at, ms } of this.#work) {
      const index = TICKS - 1 - Math.floor((now - at) / TICK_MS);
      const tick = ticks[index];
      if (tick !== undefined) ticks[index] = tick + ms;
    }
    return ticks;
  }
}
