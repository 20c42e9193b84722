import type { Histogram } from '../../shared/domain/histogram.ts';

/** Label names to values. An instance's series have `instance` and `software` and no more (api.md, Metrics). */
export type Labels = Readonly<Record<string, string | number>>;

/** One metric with all its series, as plain data. */
export type Family = Metric<'gauge' | 'counter', number> | Metric<'histogram', Histogram>;

interface Metric<Type extends string, Value> {
  name: string;
  help: string;
  type: Type;
  samples: { labels: Labels; value: Value }[];
}

/** The series of one metric: one for each of `items` that has a value. */
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
