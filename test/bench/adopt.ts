/** Coming back (target A1): a gateway and a daemon that were killed, with twenty running instances, seen from outside. */
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/machine/free-port.ts';
import { countRunning, startIdleInstances } from './idle-instances.ts';
import type { BenchRow } from './row.ts';
import { type BenchGamekeeper, startForBench } from './running-gamekeeper.ts';

const INSTANCES = 20;
const RUNS = 5;
const LOOK_EVERY_MS = 2;
const MOST_GATEWAY_MS = 1_000;
const MOST_DAEMON_MS = 2_000;

export async function run(): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const gamekeeper = await startForBench(cleanup, { GAMEKEEPER_PORT: String(await freePort()) });
  await startIdleInstances(gamekeeper, INSTANCES);
  const gateway: number[] = [];
  const daemon: number[] = [];
  for (let n = 0; n < RUNS; n++) {
    // In turns: a gateway that dies again within a minute waits, unless its daemon is a new one.
    gateway.push(await gatewayReturns(gamekeeper));
    daemon.push(await daemonReturns(gamekeeper));
  }
  return [
    row('gateway killed, to the next answer', median(gateway), MOST_GATEWAY_MS),
    row(`daemon's entry to all ${INSTANCES} running instances adopted`, median(daemon), MOST_DAEMON_MS),
  ];
}

/** From the kill to the first answer that knows every instance, milliseconds. */
async function gatewayReturns(gamekeeper: BenchGamekeeper): Promise<number> {
  const killed = gamekeeper.pidOf(/gateway\/main/);
  const start = performance.now();
  process.kill(killed, 'SIGKILL');
  const end = await whenAllRun(gamekeeper);
  if (gamekeeper.pidOf(/gateway\/main/) === killed) throw new Error('The gateway that was killed has answered.');
  return end - start;
}

/** From the start of the next daemon, milliseconds. */
async function daemonReturns(gamekeeper: BenchGamekeeper): Promise<number> {
  await gamekeeper.replaceDaemon();
  const start = performance.now();
  return (await whenAllRun(gamekeeper)) - start;
}

async function whenAllRun(gamekeeper: BenchGamekeeper): Promise<number> {
  // Refused, or cut off, while nobody serves.
  while ((await countRunning(gamekeeper).catch(() => 0)) < INSTANCES) await sleep(LOOK_EVERY_MS);
  return performance.now();
}

function median(stats: number[]): number {
  return stats.sort((a, b) => a - b)[Math.floor(stats.length / 2)]!;
}

function row(what: string, ms: number, mostMs: number): BenchRow {
  return { id: 'A1', what, figure: Math.round(ms), unit: 'ms', goal: `at most ${mostMs}`, pass: ms <= mostMs };
}
