import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { bundle } from '../../../packaging/build/bundle.ts';
import { atMost, type BenchRow, ratioRow } from '../row.ts';
import type { Measured } from './redaction-measure.ts';

const LEAST_RATIO = 10;
const GOAL_WORST_MS = 15;
const ROOT = resolve(import.meta.dirname, '../../..');

/** R1: redaction must keep up with a flood, and no line may block the supervisor for long. */
export async function run(): Promise<BenchRow[]> {
  const { megabytes, turns, worst } = await measure();
  return [
    ratioRow({
      id: 'R1',
      what: `redaction of ${megabytes} MB of realistic log`,
      unit: 'MB per CPU second',
      comparedWith: 'the same rules as regular expressions',
      turns,
      goal: { atLeast: LEAST_RATIO },
    }),
    atMost('R1', `slowest line of 64 KiB (repeats ${JSON.stringify(worst.unit)})`, worst.ms, {
      unit: 'ms',
      most: GOAL_WORST_MS,
    }),
  ];
}

/**
 * Measures in another process, from a bundle as it is shipped. Node's type stripper grows a WebAssembly memory, after which V8 checks at every
 * access whether a typed array was detached, which makes the same code a fifth slower.
 */
async function measure(): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'gamekeeper-bench-'));
  try {
    const file = join(folder, 'redaction-measure.mjs');
    const { code } = await bundle({ root: ROOT, source: 'test/bench/redaction/redaction-measure.ts', file });
    await writeFile(file, code);
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    return JSON.parse(stdout);
  } finally {
    await rm(folder, { recursive: true });
  }
}
