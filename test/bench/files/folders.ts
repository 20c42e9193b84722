/** The first page of a folder of 100,000 entries, and what the other users of the gateway notice of it (F2). */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ProbedGamekeeper, startProbed } from '../event-loop-delay.ts';
import { atMost, type BenchRow, medianOf, rounded } from '../row.ts';

const ENTRIES = 100_000;
const LISTINGS = 15;
const MOST_MS = 100;
/** Of idle time, and after the start, in milliseconds. */
const IDLE_MS = 5_000;
/** By which the gateway's delay may grow, in milliseconds. */
const MOVED_MS = 5;

export async function run(): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const gamekeeper = await startProbed(cleanup);
  await gamekeeper.api('POST', '/instances', { name: 'Bench', id: 'bench', software: 'demo' });
  const folder = path.join(gamekeeper.home, 'instances/bench/many');
  mkdirSync(folder);
  for (let count = 0; count < ENTRIES; count++) writeFileSync(path.join(folder, `entry-${count}.dat`), '');

  const gateway = gamekeeper.pidOf(/gateway\/main/);
  const rows: BenchRow[] = [];
  for (const sort of ['name', 'size']) {
    await list(gamekeeper, sort); // the files process has started
    await sleep(IDLE_MS);
    await gamekeeper.delayOf(gateway);
    await sleep(IDLE_MS);
    const idle = await gamekeeper.delayOf(gateway);
    const times: number[] = [];
    for (let count = 0; count < LISTINGS; count++) times.push(await list(gamekeeper, sort));
    const busy = await gamekeeper.delayOf(gateway);
    const what = `${ENTRIES.toLocaleString('en')} entries by ${sort}`;
    rows.push(atMost('F2', `first page of ${what}`, medianOf(times), { unit: 'ms', most: MOST_MS }), {
      id: 'F2',
      what: `event-loop delay of the gateway while it lists ${what}, p99`,
      value: rounded(busy),
      unit: 'ms',
      comparedWith: 'idle',
      reference: rounded(idle),
      goal: `at most ${MOVED_MS} ms more`,
      pass: busy <= idle + MOVED_MS,
    });
  }
  return rows;
}

/** Resolves to milliseconds. */
async function list({ api }: ProbedGamekeeper, sort: string): Promise<number> {
  const begun = performance.now();
  const { entries } = await api<{ entries: unknown[] }>('GET', `/instances/bench/files?path=many&sort=${sort}`);
  if (entries.length === 0) throw new Error('The folder is empty.');
  return performance.now() - begun;
}
