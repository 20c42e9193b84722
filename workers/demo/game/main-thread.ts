import { TickTimes } from './tick-times.ts';

/** A queue in the role of vanilla's main thread, which runs all commands and ticks: during a long save, commands and RCON answers wait. */
export class MainThread {
  readonly ticks = new TickTimes();
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `task` after all earlier ones, and resolves to its result. */
  run<T>(task: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(() => this.#timed(task));
    // The caller gets the error; later tasks run anyway.
    this.#last = result.catch(() => {});
    return result;
  }

  /** Runs nothing from now on, as in a server that hangs. */
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
