/** One row of the table. */
export interface BenchRow {
  /** The goal that the row belongs to, such as `R1`. */
  readonly id: string;
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The comparison that is measured in the same run. */
  readonly comparedWith?: string;
  readonly reference?: number;
  readonly ratio?: number;
  readonly goal: string;
  readonly pass: boolean;
}

/** Returns a row whose value passes if it is at most `most`. */
export function atMost(
  id: string,
  what: string,
  value: number,
  { unit, most }: { unit: string; most: number },
): BenchRow {
  return { id, what, value: rounded(value), unit, goal: `at most ${most} ${unit}`, pass: value <= most };
}

/** Returns the item in the middle of those ordered by `by`. */
export function median<T>(items: readonly T[], by: (item: T) => number): T {
  return items.toSorted((a, b) => by(a) - by(b))[Math.floor(items.length / 2)]!;
}

export function medianOf(values: readonly number[]): number {
  return median(values, (value) => value);
}

export function percentile(ascending: readonly number[], percent: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor((ascending.length * percent) / 100))] ?? Number.NaN;
}

/** Rounds to three significant digits, but never drops digits before the decimal point. */
export function rounded(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
