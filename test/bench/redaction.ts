import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { bundle } from '../../packaging/build/bundle.ts';
import type { Measured } from './redaction-measure.ts';
import type { BenchRow } from './row.ts';

const GOAL_PER_CPU_SECOND = 300;
const GOAL_WORST_MS = 15;
const ROOT = resolve(import.meta.dirname, '../..');

/** R1: megabytes of realistic log redacted per CPU second, and the worst line of 64 KiB. */
export async function run(): Promise<BenchRow[]> {
  const { megabytes, own, regexps, worst } = await measure();
  return [
    {
      id: 'R1',
      what: `redaction of ${megabytes} MB of realistic log`,
      figure: round(own),
      unit: 'MB per CPU second',
      comparedWith: 'regular expressions one after another',
      reference: round(regexps),
      ratio: round(own / regexps),
      goal: `at least ${GOAL_PER_CPU_SECOND}`,
      pass: own >= GOAL_PER_CPU_SECOND,
    },
    {
      id: 'R1',
      what: `worst line of 64 KiB (of ${JSON.stringify(worst.unit)})`,
      figure: round(worst.ms),
      unit: 'ms',
      goal: `at most ${GOAL_WORST_MS}`,
      pass: worst.ms <= GOAL_WORST_MS,
    },
  ];
}

/**
 * In a process of its own and bundled, as it is shipped: Node's type stripper grows a WebAssembly memory, after which V8
 * checks every typed array for having been detached, and the same code is a fifth slower.
 */
async function measure(): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'gamekeeper-bench-'));
  try {
    const file = join(folder, 'redaction-measure.mjs');
    const { code } = await bundle({ root: ROOT, source: 'test/bench/redaction-measure.ts', file });
    await writeFile(file, code);
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    return JSON.parse(stdout);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function round(figure: number): number {
  return Math.round(figure * 10) / 10;
}
