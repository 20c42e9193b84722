/** In a longer gap between two lists, a player may have come and gone. Pings are 5 s apart. Milliseconds. */
const LONGEST_GAP_MS = 30_000;

/** Measures how long a server has been empty. Only lists that it returned count; a failed ping says nothing about who plays. */
export class EmptyWatch {
  #since: number | undefined;
  #last = 0;

  /** Restarts the time: a player came or left, or the server was busy. */
  disturb(): void {
    this.#since = undefined;
  }

  /**
   * Records a ping, and returns for how many milliseconds the server has been empty. `online` is how many players are online, `undefined`
   * if the ping failed; `now` is in milliseconds of a monotonic clock.
   */
  observe(online: number | undefined, now: number): number {
    if (online === undefined) return 0;
    if (online > 0) {
      this.disturb();
      return 0;
    }
    if (this.#since === undefined || now - this.#last > LONGEST_GAP_MS) this.#since = now;
    this.#last = now;
    return now - this.#since;
  }
}
