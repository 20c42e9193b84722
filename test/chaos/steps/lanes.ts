/** How many steps may wait in a lane. */
const MAX_WAITING = 3;

/** Runs the work of one lane in sequence, and different lanes in parallel. */
export interface Lanes {
  /** Returns false, and does not add the work, if too much waits in this lane. `work` must not reject. */
  add(lane: string, work: () => Promise<void>): boolean;
  /** Resolves when all work is done. */
  empty(): Promise<void>;
}

export function createLanes(): Lanes {
  const lanes = new Map<string, { last: Promise<void>; waiting: number }>();
  return {
    add(name, work) {
      const lane = lanes.get(name) ?? { last: Promise.resolve(), waiting: 0 };
      if (lane.waiting >= MAX_WAITING) return false;
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
