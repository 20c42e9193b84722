/** Runs tasks one at a time, in the order of the calls. */
export interface Mutex {
  /** Settles like the task. After a failed task the next one runs as usual. */
  run<T>(task: () => Promise<T> | T): Promise<T>;
  /** Resolves once every task so far has settled. */
  settled(): Promise<void>;
}

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(task) {
      const result = last.then(task);
      last = result.catch(() => undefined); // the caller of run gets the rejection
      return result;
    },
    async settled() {
      await last;
    },
  };
}
