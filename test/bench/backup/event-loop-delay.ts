import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { freePort } from '../../support/machine/free-port.ts';
import { until } from '../../support/machine/until.ts';
import type { BenchRow } from '../row.ts';
import { type BenchGamekeeper, startForBench } from '../running-gamekeeper.ts';

const PROBE = path.join(import.meta.dirname, 'delay-probe.ts');
/** Longer than what a start leaves to do. */
const SETTLE_MS = 10_000;
const IDLE_MS = 10_000;
const MOST_MS = 5;

/** A world to be backed up. */
export interface Load {
  name: string;
  what: string;
  write(folder: string): void;
}

/** The event loops of gateway and supervisor while the world of a running server is backed up, beside idle ones (target B3). */
export async function measureDelays(loads: readonly Load[]): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const folder = mkdtempSync(path.join(tmpdir(), 'gk-bench-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const gamekeeper = await startForBench(cleanup, {
    NODE_OPTIONS: `--import=${pathToFileURL(PROBE).href}`,
    GK_BENCH_DELAYS: folder,
  });
  const rows: BenchRow[] = [];
  for (const load of loads) rows.push(...(await measure(load, { gamekeeper, folder })));
  return rows;
}

async function measure(
  { name, what, write }: Load,
  { gamekeeper, folder }: { gamekeeper: BenchGamekeeper; folder: string },
): Promise<BenchRow[]> {
  const at = `/instances/${name}`;
  await gamekeeper.api('POST', '/instances', { name, software: 'demo', port: await freePort() });
  write(path.join(gamekeeper.home, 'instances', name, 'world', 'load'));
  await gamekeeper.api('POST', `${at}/start`);
  await until('it runs', async () => (await gamekeeper.api<{ status: string }>('GET', at)).status === 'running');
  const pids = {
    gateway: gamekeeper.pidOf(/gateway\/main/),
    supervisor: gamekeeper.pidOf(new RegExp(`workers/supervisor/main.* ${name}$`)),
  };
  await sleep(SETTLE_MS);
  const looks = () => Promise.all(Object.values(pids).map((pid) => delayOf(pid, folder)));
  await looks();
  await sleep(IDLE_MS);
  const idle = await looks();
  await gamekeeper.api('POST', `${at}/backup`, { cloudReplicate: false });
  const busy = await looks();
  await gamekeeper.api('POST', `${at}/stop`);
  return Object.keys(pids).map((process, n) => ({
    id: 'B3',
    what: `event-loop delay of the ${process} during a backup of ${what}, p99`,
    figure: busy[n]!,
    unit: 'ms',
    comparedWith: 'idle',
    reference: idle[n]!,
    goal: `at most ${MOST_MS}`,
    pass: busy[n]! <= MOST_MS,
  }));
}

/** Since the last time, milliseconds. */
async function delayOf(pid: number, folder: string): Promise<number> {
  const file = path.join(folder, String(pid));
  process.kill(pid, 'SIGWINCH');
  const text = await until('it has answered', () => read(file));
  rmSync(file);
  return Number(Number(text).toPrecision(3));
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8') || undefined;
  } catch {
    return undefined; // Not written yet.
  }
}
