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
  /** The largest ratio of the run minus the smallest, in percent of `ratio`. */
  readonly spread?: number;
  readonly goal: string;
  readonly pass: boolean;
  /** The larger the ratio, the better. */
  readonly moreIsBetter?: true;
}

/** Gamekeeper and what it is compared with, measured directly after each other. */
export interface Turn<T = number> {
  readonly ours: T;
  readonly theirs: T;
}

/** How often both are measured for one ratio. */
export const ROUNDS = 5;

/** Measures both in turns, because the speed of a machine changes from minute to minute. */
export async function inTurns<T>(theirs: () => T | Promise<T>, ours: () => T | Promise<T>): Promise<Turn<T>[]> {
  const turns: Turn<T>[] = [];
  for (let round = 0; round < ROUNDS; round++) turns.push({ theirs: await theirs(), ours: await ours() });
  return turns;
}

/** What a row of ratios is made of. */
export interface RatioOptions {
  readonly id: string;
  readonly what: string;
  readonly unit: string;
  readonly comparedWith: string;
  readonly turns: readonly Turn[];
  /** The limit of the ratio of ours to theirs, of ours, or of what ours is more. */
  readonly goal:
    | { readonly atLeast: number }
    | { readonly atMost: number }
    | { readonly valueAtMost: number }
    | { readonly moreAtMost: number }
    | 'none';
}

/** Returns a row with the turn in which what is limited is the median. */
export function ratioRow({ id, what, unit, comparedWith, turns, goal }: RatioOptions): BenchRow {
  const ratioOf = ({ ours, theirs }: Turn) => ours / theirs;
  const limited = (turn: Turn) => {
    if (goal === 'none') return ratioOf(turn);
    if ('valueAtMost' in goal) return turn.ours;
    return 'moreAtMost' in goal ? turn.ours - turn.theirs : ratioOf(turn);
  };
  const { ours, theirs } = median(turns, limited);
  const ratio = ours / theirs;
  const ratios = turns.map(ratioOf);
  const spread = ((Math.max(...ratios) - Math.min(...ratios)) / ratio) * 100;
  return {
    id,
    what,
    value: rounded(ours),
    unit,
    comparedWith,
    reference: rounded(theirs),
    ratio: rounded(ratio),
    spread: Math.round(spread),
    ...judged({ ours, theirs }, { unit, goal }),
    ...(goal !== 'none' && 'atLeast' in goal && { moreIsBetter: true }),
  };
}

function judged(
  { ours, theirs }: Turn,
  { unit, goal }: Pick<RatioOptions, 'unit' | 'goal'>,
): Pick<BenchRow, 'goal' | 'pass'> {
  const ratio = ours / theirs;
  if (goal === 'none') return { goal, pass: true };
  if ('atLeast' in goal) return { goal: `ratio at least ${goal.atLeast}`, pass: ratio >= goal.atLeast };
  if ('atMost' in goal) return { goal: `ratio at most ${goal.atMost}`, pass: ratio <= goal.atMost };
  if ('moreAtMost' in goal)
    return { goal: `at most ${goal.moreAtMost} ${unit} more`, pass: ours - theirs <= goal.moreAtMost };
  return { goal: `at most ${goal.valueAtMost} ${unit}`, pass: ours <= goal.valueAtMost };
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

/** Returns the row with what was measured for comparison in the same run, and the ratio. */
export function withReference(row: BenchRow, comparedWith: string, reference: number): BenchRow {
  return { ...row, comparedWith, reference: rounded(reference), ratio: rounded(row.value / reference) };
}

/** Returns the item in the middle of those ordered by `by`. */
function median<T>(items: readonly T[], by: (item: T) => number): T {
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
