/** Runs what it is given one after the other, in the order of the calls, whatever becomes of those before. */
export function inTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work, work);
    last = result.catch(() => undefined); // Its caller hears of it.
    return result;
  };
}
