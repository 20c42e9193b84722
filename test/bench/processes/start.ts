/** How long the daemon takes until it answers (S1) and a start until the game process exists (S2), seen from outside. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../support/machine/free-port.ts';
import { until } from '../../support/machine/until.ts';
import { processesOf } from '../../support/processes/leftovers.ts';
import { atMost, type BenchRow, medianOf } from '../row.ts';
import { startForBench } from '../running-gamekeeper.ts';

const DAEMON = path.join(import.meta.dirname, '../../../dist/daemon/main.js');
const RUNS = 5;
const POLL_MS = 2;
const MOST_S1_MS = 400;
const MOST_S2_MS = 120;

export async function run(): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const daemon = await medianRun(await daemonStarts(cleanup));
  const game = await medianRun(await gameStarts(cleanup));
  return [
    atMost('S1', 'from the start of the daemon to the first answer of GET /health, existing data directory', daemon, {
      unit: 'ms',
      most: MOST_S1_MS,
    }),
    atMost('S2', 'from POST start to the game process, with no supervisor running', game, {
      unit: 'ms',
      most: MOST_S2_MS,
    }),
  ];
}

/** Returns a function that measures one start on an existing data directory. The port is fixed, so that /health can be polled at once. */
async function daemonStarts(cleanup: AsyncDisposableStack): Promise<() => Promise<number>> {
  const home = mkdtempSync(path.join(tmpdir(), 'gk-bench-'));
  const port = await freePort();
  const env = { ...process.env, GAMEKEEPER_PORT: String(port), GAMEKEEPER_REMOTE_PORT: '0' };
  cleanup.defer(() => rmSync(home, { recursive: true, force: true }));
  const measure = async () => {
    const start = performance.now();
    const child = spawn(process.execPath, [DAEMON, '--home', home], { env, stdio: 'ignore' });
    while (!(await isHealthy(port))) await sleep(POLL_MS);
    const elapsed = performance.now() - start;
    child.kill('SIGTERM');
    await once(child, 'exit');
    return elapsed;
  };
  await measure();
  return measure;
}

async function isHealthy(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health`).then(
    ({ ok }) => ok,
    () => false, // Not listening yet.
  );
}

/** Returns a function that measures the start of a new instance, which has no supervisor yet. Its program writes its start time to a file. */
async function gameStarts(cleanup: AsyncDisposableStack): Promise<() => Promise<number>> {
  const gamekeeper = await startForBench(cleanup);
  let made = 0;
  const measure = async () => {
    const id = `game-${++made}`;
    const startTime = path.join(gamekeeper.home, 'instances', id, 'started');
    await gamekeeper.api('POST', '/instances', {
      name: id,
      id,
      software: 'custom',
      port: await freePort(),
      launch: { command: ['/bin/sh', '-c', 'date +%s%N > started.new; mv started.new started; exec sleep 600'] },
    });
    const start = performance.timeOrigin + performance.now();
    await gamekeeper.api('POST', `/instances/${id}/start`);
    await until('the game process runs', () => existsSync(startTime));
    const spawned = Number(readFileSync(startTime, 'utf8')) / 1e6;
    await gamekeeper.api('POST', `/instances/${id}/kill`);
    await until(
      'the game process has ended',
      () => !processesOf(gamekeeper.home).some(({ command }) => command === 'sleep 600'),
    );
    return spawned - start;
  };
  await measure();
  return measure;
}

async function medianRun(measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < RUNS; n++) times.push(await measure());
  return medianOf(times);
}
