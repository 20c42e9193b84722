/** A histogram as plain numbers. Another process exposes it as a metric. */
export interface Histogram {
  /** Upper bounds, inclusive and ascending. */
  readonly bounds: readonly number[];
  /** One more than bounds: the last counts values above all of them. */
  readonly counts: number[];
  sum: number;
}

export function createHistogram(bounds: readonly number[]): Histogram {
  return { bounds, counts: new Array<number>(bounds.length + 1).fill(0), sum: 0 };
}

export function observe(histogram: Histogram, value: number): void {
  const { bounds, counts } = histogram;
  let index = 0;
  while (index < bounds.length && value > bounds[index]!) index++;
  counts[index]!++;
  histogram.sum += value;
}
