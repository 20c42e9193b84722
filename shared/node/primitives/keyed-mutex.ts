import { unlessAborted } from './unless-aborted.ts';

/** One at a time for each key, in the order of asking: so that two servers that need the same download make one. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>();

  /** True when somebody has it. */
  isTaken(key: string): boolean {
    return this.#last.has(key);
  }

  /** Resolves when it is the caller's turn, to how the caller gives it back. Rejects, and takes no turn, when `signal` fires first. */
  async take(key: string, signal: AbortSignal): Promise<() => void> {
    const before = this.#last.get(key);
    const { promise: mine, resolve: release } = Promise.withResolvers<void>();
    // Also over the head of one that gave up waiting: it has passed its turn on by then.
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
