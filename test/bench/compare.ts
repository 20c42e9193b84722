import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runProgram } from '../../packaging/run-program.mjs';
import { percent } from './accepted.ts';
import { type BenchRow, medianOf, rounded } from './row.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** How often each of the two is measured. */
const RUNS = 3;

/** A row of both commits: medians of their runs. Where both have a ratio, the ratios are compared, else the values. */
export interface ComparedRow {
  readonly id: string;
  readonly what: string;
  readonly unit: string;
  readonly there: number;
  readonly here: number;
  readonly change: string;
  /** The largest value of one commit minus its smallest, in percent of its median; of the two commits, the larger. */
  readonly spread: number;
}

/** Measures these parts with another commit and with the working tree, in turns, because the speed of a machine changes. */
export async function compareWith(commit: string, parts: readonly string[]): Promise<ComparedRow[]> {
  const there = path.join(tmpdir(), `gk-bench-${process.pid}`);
  await mustRun('git', ['worktree', 'add', '--detach', there, commit]);
  try {
    const [theirs, ours]: [BenchRow[][], BenchRow[][]] = [[], []];
    for (let run = 0; run < RUNS; run++) {
      theirs.push(await measureIn(there, parts));
      ours.push(await measureIn(ROOT, parts));
    }
    return compared(theirs, ours);
  } finally {
    await mustRun('git', ['worktree', 'remove', '--force', there]);
    await rm(there, { recursive: true, force: true });
  }
}

/** Returns the rows that both have. */
export function compared(theirs: readonly BenchRow[][], ours: readonly BenchRow[][]): ComparedRow[] {
  const valuesIn = (runs: readonly BenchRow[][], of: BenchRow, withRatios: boolean) =>
    runs.flatMap((rows) =>
      rows
        .filter(({ id, what }) => id === of.id && what === of.what)
        .map(({ value, ratio }) => (withRatios ? ratio! : value)),
    );
  return ours[0]!.flatMap((row) => {
    const same = theirs[0]!.find(({ id, what }) => id === row.id && what === row.what);
    if (!same) return [];
    const withRatios = row.ratio !== undefined && same.ratio !== undefined;
    const [before, after] = [valuesIn(theirs, row, withRatios), valuesIn(ours, row, withRatios)];
    const [there, here] = [medianOf(before), medianOf(after)];
    return {
      id: row.id,
      what: row.what,
      unit: withRatios ? `times ${row.comparedWith}` : row.unit,
      there: rounded(there),
      here: rounded(here),
      change: there === 0 ? '' : percent(here / there),
      spread: Math.round(Math.max(spreadOf(before), spreadOf(after))),
    };
  });
}

function spreadOf(values: readonly number[]): number {
  const middle = medianOf(values);
  return middle === 0 ? 0 : ((Math.max(...values) - Math.min(...values)) / middle) * 100;
}

/** Runs the benchmark of a checkout. Every version writes the same file. */
async function measureIn(root: string, parts: readonly string[]): Promise<BenchRow[]> {
  await mustRun('node', [path.join(root, 'packaging/run.mjs'), 'bench', ...parts]);
  return JSON.parse(await readFile(path.join(root, 'test/bench/results.json'), 'utf8'));
}

async function mustRun(program: string, args: readonly string[]): Promise<void> {
  const code = await runProgram(program, [...args], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  if (code !== 0) throw new Error(`"${program} ${args.join(' ')}" exited with status ${code}.`);
}
