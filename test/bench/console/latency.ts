import { setTimeout as sleep } from 'node:timers/promises';
import { writeRegions } from '../backup/sample-world.ts';
import { atMost, type BenchRow, inTurns, percentile, ratioRow } from '../row.ts';
import type { BenchGamekeeper } from '../running-gamekeeper.ts';
import { command, FLOOD_LINES, flood, type Subject, temporaryFolder } from './flooder.ts';

const BACKUP_BYTES = 1024 * 1024 * 1024;
const IDLE_MS = 5_000;
const HEALTH_EVERY_MS = 5;
const MOST_ADDED_MS = 5;
const LINES_PER_SECOND = 1_000;
const SECONDS = 10;
const MOST_DELAY_MS = 20;

/** C2: floods and a backup must not delay requests of others; jobs run at a lower priority. */
export async function measureHealth({ gamekeeper, viewer }: Subject, cleanup: AsyncDisposableStack): Promise<BenchRow> {
  const folder = temporaryFolder(cleanup);
  writeRegions(folder, BACKUP_BYTES);
  await gamekeeper.api('POST', '/instances', {
    name: 'Large',
    software: 'custom',
    directory: folder,
    launch: { command: ['./none'] },
  });
  const p99During = async (work: Promise<unknown>) => percentile(await healthLatencies(gamekeeper, work), 99);
  return ratioRow({
    id: 'C2',
    what: 'GET /health during floods and a backup, p99',
    unit: 'ms',
    comparedWith: 'idle',
    turns: await inTurns(
      () => p99During(sleep(IDLE_MS)),
      () => {
        const backup = gamekeeper.api('POST', '/instances/large/backup');
        return p99During(floodUntil(backup, viewer));
      },
    ),
    goal: { moreAtMost: MOST_ADDED_MS },
  });
}

async function floodUntil(end: Promise<unknown>, viewer: Subject['viewer']): Promise<void> {
  let hasEnded = false;
  const note = () => {
    hasEnded = true;
  };
  void end.then(note, note);
  while (!hasEnded) await flood(viewer, FLOOD_LINES);
  await end;
}

/** C3: a printed line must be shown without a noticeable delay. */
export async function measureLineDelay({ viewer }: Subject): Promise<BenchRow> {
  const lines = LINES_PER_SECOND * SECONDS;
  const { delaysMs } = await command(viewer, `pace ${lines} ${LINES_PER_SECOND}`, lines);
  const what = 'one line from game server to viewer, at 1,000 lines/s, p99';
  return atMost('C3', what, percentile(delaysMs, 99), { unit: 'ms', most: MOST_DELAY_MS });
}

/** Requests /health at an even pace until `work` is done. Resolves to the latencies in milliseconds, ascending. */
async function healthLatencies({ panel }: BenchGamekeeper, work: Promise<unknown>): Promise<number[]> {
  const latencies: number[] = [];
  let done = false;
  const finished = work.finally(() => {
    done = true;
  });
  while (!done) {
    const start = performance.now();
    await (await fetch(`${panel}/health`)).text();
    latencies.push(performance.now() - start);
    await sleep(HEALTH_EVERY_MS);
  }
  await finished;
  return latencies.sort((a, b) => a - b);
}
