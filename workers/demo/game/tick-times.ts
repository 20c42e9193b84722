/** Vanilla aims at 20 ticks per second ... */
export const TICK_MS = 50;
/** ... and tells the times of so many. */
const TICKS = 100;

/** How long each of the last 100 ticks took: what the main thread did in it, and what it is told to be late by. */
export class TickTimes {
  /** Added to each tick, in milliseconds: a server that is slow on request. */
  lagMs = 0;
  #work: { readonly at: number; readonly ms: number }[] = [];

  /** Takes up a piece of work that began at `at`; milliseconds by one clock. */
  worked(at: number, ms: number): void {
    this.#work = this.#work.filter((piece) => piece.at > at - TICKS * TICK_MS);
    this.#work.push({ at, ms });
  }

  /** Milliseconds, oldest first. A piece of work belongs to the tick in which it began. */
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
