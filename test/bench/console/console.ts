/** The console: a flood from the terminal to its viewers (C1 to C5), and the supervisor's memory after a long one (M2). */
import type { BenchRow } from '../row.ts';
import { startForBench } from '../running-gamekeeper.ts';
import { measureFanOut } from './fan-out.ts';
import { compile, flood, startFlooder, startViewer } from './flooder.ts';
import { measureHealth, measureLineDelay } from './latency.ts';
import { measureStalledViewer } from './stalled.ts';
import { measureFloods, measureSoak } from './throughput.ts';

/** The first floods run code that is not compiled yet. */
const WARM_UP_LINES = 100_000;

export async function run(): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const programs = compile(cleanup);
  const gamekeeper = await startForBench(cleanup);
  const supervisor = await startFlooder(gamekeeper, programs.flood);
  const viewer = await startViewer(cleanup, gamekeeper);
  await flood(viewer, WARM_UP_LINES);

  const subject = { gamekeeper, viewer };
  return [
    ...(await measureFloods(subject, { programs, supervisor })),
    await measureHealth(subject, cleanup),
    await measureLineDelay(subject),
    ...(await measureFanOut(subject, cleanup)),
    ...(await measureStalledViewer(subject, cleanup)),
    await measureSoak(subject, supervisor),
  ];
}
