/** How often a value fell between which bounds: plain numbers, for a metrics library elsewhere to show. */
export interface Histogram {
  /** Upper bounds, each included, ascending; what is beyond the last is counted behind it. */
  readonly bounds: readonly number[];
  /** One more than there are bounds. */
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
