/** Starting (targets S1, S2): the daemon until it answers, and a game until its process exists, both seen from outside. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { processesOf } from '../support/processes/leftovers.ts';
import type { BenchRow } from './row.ts';
import { startForBench } from './running-gamekeeper.ts';

const DAEMON = path.join(import.meta.dirname, '../../dist/daemon/main.js');
const RUNS = 5;
const LOOK_EVERY_MS = 2;
const MOST_S1_MS = 400;
const MOST_S2_MS = 120;

export async function run(): Promise<BenchRow[]> {
  const daemon = await medianOf(RUNS, await daemonStarts());
  await using cleanup = new AsyncDisposableStack();
  const game = await medianOf(RUNS, await gameStarts(cleanup));
  return [
    row('S1', "the daemon's entry to the first /health 200, existing home", daemon, MOST_S1_MS),
    row('S2', 'POST start without a supervisor to the game process', game, MOST_S2_MS),
  ];
}

/** One start on a home that an earlier one has made; the ports are fixed so that /health can be asked before anything is said. */
async function daemonStarts(): Promise<() => Promise<number>> {
  const home = mkdtempSync(path.join(tmpdir(), 'gk-bench-'));
  const port = await freePort();
  const env = { ...process.env, GAMEKEEPER_PORT: String(port), GAMEKEEPER_REMOTE_PORT: '0' };
  process.once('exit', () => rmSync(home, { recursive: true, force: true }));
  const measure = async () => {
    const start = performance.now();
    const child = spawn(process.execPath, [DAEMON, '--home', home], { env, stdio: 'ignore' });
    while (!(await isHealthy(port))) await sleep(LOOK_EVERY_MS);
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

/** Each start is of another instance, so that no supervisor runs for it yet; the program says when it lives by making a file. */
async function gameStarts(cleanup: AsyncDisposableStack): Promise<() => Promise<number>> {
  const gamekeeper = await startForBench(cleanup);
  let made = 0;
  const measure = async () => {
    const id = `game-${++made}`;
    const mark = path.join(gamekeeper.home, 'instances', id, 'lives');
    await gamekeeper.api('POST', '/instances', {
      name: id,
      id,
      software: 'custom',
      port: await freePort(),
      launch: { command: ['/bin/sh', '-c', 'date +%s%N > lives.new; mv lives.new lives; exec sleep 600'] },
    });
    const start = performance.timeOrigin + performance.now();
    await gamekeeper.api('POST', `/instances/${id}/start`);
    await until('the game lives', () => existsSync(mark));
    const spawned = Number(readFileSync(mark, 'utf8')) / 1e6;
    await gamekeeper.api('POST', `/instances/${id}/kill`);
    await until('it is gone', () => !processesOf(gamekeeper.home).some(({ command }) => command === 'sleep 600'));
    return spawned - start;
  };
  await measure();
  return measure;
}

async function medianOf(runs: number, measure: () => Promise<number>): Promise<number> {
  const stats: number[] = [];
  for (let n = 0; n < runs; n++) stats.push(await measure());
  return stats.sort((a, b) => a - b)[Math.floor(runs / 2)]!;
}

function row(id: string, what: string, ms: number, mostMs: number): BenchRow {
  return { id, what, figure: Math.round(ms), unit: 'ms', goal: `at most ${mostMs}`, pass: ms <= mostMs };
}
