/** Items that wait until they are read. Has one reader. */
export class AsyncQueue<T> {
  readonly #waiting: T[] = [];
  #ended = false;
  #wake: () => void = () => undefined;

  push(item: T): void {
    this.#waiting.push(item);
    this.#wake();
  }

  /** Ends the reader after the items that are already waiting. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      while (this.#waiting.length > 0) yield this.#waiting.shift()!;
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
