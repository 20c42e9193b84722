import type { Histogram } from '../../shared/domain/histogram.ts';

/** Label names to values. Series of an instance have `instance` and `software`, and no others. */
export type Labels = Readonly<Record<string, string | number>>;

export type Family = Metric<'gauge' | 'counter', number> | Metric<'histogram', Histogram>;

interface Metric<Type extends string, Value> {
  name: string;
  help: string;
  type: Type;
  samples: { labels: Labels; value: Value }[];
}

export function samplesOf<Item, Value>(
  items: Iterable<Item>,
  labels: (item: Item) => Labels,
  value: (item: Item) => Value | undefined,
): { labels: Labels; value: Value }[] {
  return Array.from(items).flatMap((item) => {
    const found = value(item);
    return found === undefined ? [] : [{ labels: labels(item), value: found }];
  });
}
