import { TickTimes } from './tick-times.ts';

/**
 * Vanilla runs every command and tick on one thread; a command typed during a long save waits for it, and RCON's
 * answer with it. This queue is that thread.
 */
export class MainThread {
  readonly ticks = new TickTimes();
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `task` after everything that was asked for before, and answers what it answers. */
  run<T>(task: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(() => this.#timed(task));
    // A task's failure is for whoever asked; those that queue behind it must run all the same.
    this.#last = result.catch(() => {});
    return result;
  }

  /** From now on nothing runs any more, as in a server that hangs. */
  jam(): void {
    this.#last = new Promise(() => {});
  }

  async #timed<T>(task: () => T | Promise<T>): Promise<T> {
    const begun = performance.now();
    try {
      return await task();
    } finally {
      this.ticks.worked(begun, performance.now() - begun);
    }
  }
}
