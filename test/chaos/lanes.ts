/** So many wait in a lane at most; what is too much is not begun. */
const MOST_WAITING = 3;

/** Work that is done one after the other within a lane, and side by side in different ones. */
export interface Lanes {
  /** False where too much waits in this lane. `work` must not reject. */
  add(lane: string, work: () => Promise<void>): boolean;
  /** Resolves when all that was added is done. */
  empty(): Promise<void>;
}

export function createLanes(): Lanes {
  const lanes = new Map<string, { last: Promise<void>; waiting: number }>();
  return {
    add(name, work) {
      const lane = lanes.get(name) ?? { last: Promise.resolve(), waiting: 0 };
      if (lane.waiting >= MOST_WAITING) return false;
      lanes.set(name, lane);
      lane.waiting++;
      lane.last = lane.last.then(work).finally(() => lane.waiting--);
      return true;
    },
    async empty() {
      await Promise.all([...lanes.values()].map(({ last }) => last));
    },
  };
}
