/**
 * Bytes that have been read and are not on disk yet. archiver takes whatever it is given, so without this a fast source disk and a slow
 * target would put the whole world into memory.
 */
export class InFlight {
  readonly #limit: number;
  #bytes = 0;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Resolves when there is room, and takes it. More than the limit fits when nothing else is in flight. One caller at a time. */
  async enter(bytes: number): Promise<void> {
    for (;;) {
      if (this.#failure) throw this.#failure;
      if (this.#bytes === 0 || this.#bytes + bytes <= this.#limit) break;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#bytes += bytes;
  }

  leave(bytes: number): void {
    this.#bytes -= bytes;
    this.#wake?.();
  }

  /** Nothing will leave any more: whoever waits, and whoever comes, gets this error. */
  fail(error: Error): void {
    this.#failure = error;
    this.#wake?.();
  }
}
