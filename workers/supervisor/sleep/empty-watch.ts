/** What was not looked at for longer counts as unknown: a player may have come and gone. Pings are 5 s apart. Milliseconds. */
const LONGEST_GAP_MS = 30_000;

/** How long a server has been empty, by lists of players that it really gave: a failure says nothing about who plays. */
export class EmptyWatch {
  #since: number | undefined;
  #last = 0;

  /** Somebody has come or gone, or the server had other things to do: the time begins anew. */
  disturb(): void {
    this.#since = undefined;
  }

  /**
   * Takes note of a list, and answers for how many milliseconds the server has been known to be empty; 0 where it is not.
   *
   * @param online how many play, as the server says; undefined: it did not say
   * @param now milliseconds by a clock that nobody sets
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
