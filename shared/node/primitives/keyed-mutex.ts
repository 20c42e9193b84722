import { unlessAborted } from './unless-aborted.ts';

/** One holder at a time for each key, in the order of the requests. For example, two servers that need the same file download it once. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>();

  /** Returns whether the key is held. */
  isTaken(key: string): boolean {
    return this.#last.has(key);
  }

  /** Resolves when the caller holds the key, to a function that releases it. Rejects if `signal` fires first. */
  async take(key: string, signal: AbortSignal): Promise<() => void> {
    const before = this.#last.get(key);
    const { promise: mine, resolve: release } = Promise.withResolvers<void>();
    // A caller that gave up has released its turn, but those after it still wait for the ones before it.
    const turn = Promise.all([before, mine]).then(() => {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    });
    this.#last.set(key, turn);
    try {
      await unlessAborted(before ?? Promise.resolve(), signal);
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }
}
