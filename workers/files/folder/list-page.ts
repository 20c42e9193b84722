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

/** The first `limit` of the added entries that come after one, sorted. Keeps no more than these, since a folder may have 100,000. */
export function createPage({ after, limit, compare }: PageOptions): {
  readonly page: readonly Listed[];
  add(entry: Listed): void;
} {
  const page: Listed[] = [];
  return {
    page,
    add(entry) {
      if (page.length === limit && compare(entry, page[limit - 1]!) >= 0) return;
      if (after && compare(entry, after) <= 0) return;
      page.splice(placeIn(page, entry, compare), 0, entry);
      if (page.length > limit) page.pop();
    },
  };
}

export interface PageOptions {
  after: Listed | undefined;
  limit: number;
  compare: Compare;
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
