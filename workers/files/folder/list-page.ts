import type { SortOrder } from '../../../shared/schema/files.ts';

/** An entry of a folder, with what it is sorted by. */
export interface Listed {
  name: string;
  isFolder: boolean;
  value: string | number;
}

type Compare = (one: Listed, other: Listed) => number;

/** Folders come first in both orders. Names decide between equal values, so that every entry has its own place. */
export function compareListed(order: SortOrder): Compare {
  const direction = order === 'asc' ? 1 : -1;
  return (one, other) => {
    if (one.isFolder !== other.isFolder) return one.isFolder ? -1 : 1;
    return direction * (compareValues(one.value, other.value) || compareValues(one.name, other.name));
  };
}

/** Returns the first `limit` entries after one, sorted. Keeps no more than these in order, since a folder may have 100,000. */
export function pageAfter(
  listed: Iterable<Listed>,
  { after, limit, compare }: { after: Listed | undefined; limit: number; compare: Compare },
): Listed[] {
  const page: Listed[] = [];
  for (const entry of listed) {
    if (after && compare(entry, after) <= 0) continue;
    if (page.length === limit && compare(entry, page[limit - 1]!) >= 0) continue;
    page.splice(placeIn(page, entry, compare), 0, entry);
    if (page.length > limit) page.pop();
  }
  return page;
}

function placeIn(page: readonly Listed[], entry: Listed, compare: Compare): number {
  let [low, high] = [0, page.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(page[middle]!, entry) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compareValues(one: string | number, other: string | number): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
