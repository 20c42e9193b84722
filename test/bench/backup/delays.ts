import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../support/machine/free-port.ts';
import { until } from '../../support/machine/until.ts';
import { type ProbedGamekeeper, startProbed } from '../event-loop-delay.ts';
import { type BenchRow, rounded } from '../row.ts';

/** Longer than the work that follows a start. Milliseconds. */
const SETTLE_MS = 10_000;
const IDLE_MS = 10_000;
const MOST_MS = 5;

/** Files to back up. */
export interface Load {
  name: string;
  what: string;
  write(folder: string): void;
}

/** B3: a backup of a running server must not delay the event loops of gateway and supervisor. */
export async function measureDelays(loads: readonly Load[]): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const gamekeeper = await startProbed(cleanup);
  const rows: BenchRow[] = [];
  for (const load of loads) rows.push(...(await measure(load, gamekeeper)));
  return rows;
}

async function measure({ name, what, write }: Load, gamekeeper: ProbedGamekeeper): Promise<BenchRow[]> {
  const at = `/instances/${name}`;
  await gamekeeper.api('POST', '/instances', { name, software: 'demo', port: await freePort() });
  write(path.join(gamekeeper.home, 'instances', name, 'world', 'load'));
  await gamekeeper.api('POST', `${at}/start`);
  await until(
    'the server runs',
    async () => (await gamekeeper.api<{ status: string }>('GET', at)).status === 'running',
  );
  const pids = {
    gateway: gamekeeper.pidOf(/gateway\/main/),
    supervisor: gamekeeper.pidOf(new RegExp(`workers/supervisor/main.* ${name}$`)),
  };
  await sleep(SETTLE_MS);
  const delays = () => Promise.all(Object.values(pids).map((pid) => gamekeeper.delayOf(pid)));
  await delays();
  await sleep(IDLE_MS);
  const idle = await delays();
  await gamekeeper.api('POST', `${at}/backup`, { cloudReplicate: false });
  const busy = await delays();
  await gamekeeper.api('POST', `${at}/stop`);
  return Object.keys(pids).map((process, n) => ({
    id: 'B3',
    what: `event-loop delay of the ${process} during a backup of ${what}, p99`,
    value: rounded(busy[n]!),
    unit: 'ms',
    comparedWith: 'idle',
    reference: rounded(idle[n]!),
    goal: `at most ${MOST_MS} ms`,
    pass: busy[n]! <= MOST_MS,
  }));
}
