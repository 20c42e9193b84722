/** Groups whose requests are counted. */
const MOST_COUNTED = 4_096;

export interface FairQueueOptions {
  most: number;
  mostOfGroup: number;
}

/**
 * A queue in which the group that has asked least is next: one that asks for much, or again and again, does not delay one that asks once.
 * Requests that were refused count as well. The counts are forgotten when nothing waits.
 */
export interface FairQueue<T> {
  /** Adds an item. Returns the one that has no place: this one if its group has too many, else the last in line. */
  add(group: string, item: T): T | undefined;
  /** Returns the next item of a group that is not busy. */
  take(isBusy?: (group: string) => boolean): T | undefined;
}

interface Entry<T> {
  group: string;
  item: T;
}

export function createFairQueue<T>({ most, mostOfGroup }: FairQueueOptions): FairQueue<T> {
  /** In the order of arrival. */
  const waiting: Entry<T>[] = [];
  /** How often each group has asked, the one that has not asked for longest first. */
  const asked = new Map<string, number>();

  const requestsOf = ({ group }: Entry<T>) => asked.get(group) ?? 0;

  function count(group: string): void {
    const before = asked.get(group) ?? 0;
    asked.delete(group);
    asked.set(group, before + 1);
    const [quietest] = asked.keys();
    if (asked.size > MOST_COUNTED) asked.delete(quietest!);
  }

  function remove(entry: Entry<T>): T {
    waiting.splice(waiting.indexOf(entry), 1);
    if (waiting.length === 0) asked.clear();
    return entry.item;
  }

  return {
    add(group, item) {
      count(group);
      if (waiting.filter((entry) => entry.group === group).length >= mostOfGroup) return item;
      waiting.push({ group, item });
      if (waiting.length <= most) return undefined;
      return remove(waiting.reduce((last, entry) => (requestsOf(entry) >= requestsOf(last) ? entry : last)));
    },
    take(isBusy = () => false) {
      const ready = waiting.filter(({ group }) => !isBusy(group));
      if (ready.length === 0) return undefined;
      return remove(ready.reduce((first, entry) => (requestsOf(entry) < requestsOf(first) ? entry : first)));
    },
  };
}
