/** A value that changes. A slow follower gets the newest value, not every one. */
export class LatestValue<T> {
  readonly #wakes = new Set<() => void>();
  #value: T;
  #version = 1;
  #closed = false;

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    this.#value = value;
    this.#version += 1;
    for (const wake of this.#wakes) wake();
  }

  /** Ends all followers. */
  close(): void {
    this.#closed = true;
    for (const wake of this.#wakes) wake();
  }

  /** Yields the value at once, then after each change, until `signal` fires or `close`. */
  async *follow(signal: AbortSignal): AsyncGenerator<T> {
    let seen = 0;
    let resume: (() => void) | undefined;
    const wake = () => resume?.();
    this.#wakes.add(wake);
    signal.addEventListener('abort', wake);
    try {
      while (!signal.aborted) {
        if (seen !== this.#version) {
          seen = this.#version;
          yield this.#value;
        } else if (this.#closed) {
          return;
        } else {
          await new Promise<void>((resolve) => {
            resume = resolve;
          });
        }
      }
    } finally {
      this.#wakes.delete(wake);
      signal.removeEventListener('abort', wake);
    }
  }
}
