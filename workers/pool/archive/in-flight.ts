/**
 * Limits the bytes that are read but not on disk yet. archiver accepts any amount, so with a slow target the whole world would end up in
 * memory.
 */
export class InFlight {
  readonly #limit: number;
  #bytes = 0;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Waits until the bytes fit, then adds them. With nothing else in flight, any amount fits. One caller at a time. */
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

  fail(error: Error): void {
    this.#failure = error;
    this.#wake?.();
  }
}
