import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type BenchRow, rounded } from './row.ts';

const FILE = path.join(import.meta.dirname, 'accepted.json');

/** The ratios of the last accepted run, by row. */
export type Accepted = Readonly<Record<string, number>>;

export async function readAccepted(): Promise<Accepted> {
  return JSON.parse(await readFile(FILE, 'utf8'));
}

/** Replaces the ratios of the rows that were measured. The others stay. */
export async function accept(rows: readonly BenchRow[]): Promise<void> {
  const now = ratiosOf(rows);
  const sorted = Object.entries({ ...(await readAccepted()), ...now }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  await writeFile(FILE, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`);
}

/** Returns the ratios by the id and the text of their row. */
export function ratiosOf(rows: readonly BenchRow[]): Accepted {
  return Object.fromEntries(rows.flatMap((row) => (row.ratio === undefined ? [] : [[keyOf(row), row.ratio]])));
}

/** Returns the change of the ratio against the accepted one, such as `+12 %`. Empty if the row has none. */
export function changeOf(row: BenchRow, accepted: Accepted): string {
  const before = accepted[keyOf(row)];
  if (before === undefined || row.ratio === undefined) return '';
  return percent(row.ratio / before);
}

/** Returns whether the ratio is worse than the accepted one by more than what is noise, in percent. */
export function isWorse(row: BenchRow, accepted: Accepted, noise: number): boolean {
  const before = accepted[keyOf(row)];
  if (before === undefined || row.ratio === undefined) return false;
  const loss = row.moreIsBetter ? before / row.ratio : row.ratio / before;
  return (loss - 1) * 100 > Math.max(noise, row.spread ?? 0);
}

export function percent(factor: number): string {
  const change = rounded((factor - 1) * 100);
  return `${change > 0 ? '+' : ''}${change.toFixed(0)} %`;
}

function keyOf({ id, what }: BenchRow): string {
  return `${id} ${what}`;
}
