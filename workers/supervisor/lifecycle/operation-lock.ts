/** Runs what it is given one after the other, so that two operations never see each other half done. */
export type OperationLock = <T>(operation: () => Promise<T> | T) => Promise<T>;

export function createOperationLock(): OperationLock {
  let last: Promise<unknown> = Promise.resolve();
  return (operation) => {
    const result = last.then(operation);
    // Its caller hears of a failure; the next operation runs all the same.
    last = result.catch(() => undefined);
    return result;
  };
}
