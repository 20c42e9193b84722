/** A1: how soon a killed gateway is replaced, and how soon a new daemon has reattached all running servers, seen from outside. */
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../support/machine/free-port.ts';
import { atMost, type BenchRow, medianOf } from '../row.ts';
import { type BenchGamekeeper, startForBench } from '../running-gamekeeper.ts';
import { countRunning, startIdleInstances } from './idle-instances.ts';

const INSTANCES = 20;
const RUNS = 5;
const POLL_MS = 2;
const MOST_GATEWAY_MS = 1_000;
const MOST_DAEMON_MS = 2_000;

export async function run(): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const gamekeeper = await startForBench(cleanup, { GAMEKEEPER_PORT: String(await freePort()) });
  await startIdleInstances(gamekeeper, INSTANCES);
  const gateway: number[] = [];
  const daemon: number[] = [];
  for (let n = 0; n < RUNS; n++) {
    // Alternating, because the same daemon delays the restart of a gateway that dies twice within a minute.
    gateway.push(await gatewayReturns(gamekeeper));
    daemon.push(await daemonReturns(gamekeeper));
  }
  return [
    atMost('A1', 'from the kill of the gateway to the next answer', medianOf(gateway), {
      unit: 'ms',
      most: MOST_GATEWAY_MS,
    }),
    atMost('A1', `from the start of the daemon to all ${INSTANCES} running servers reattached`, medianOf(daemon), {
      unit: 'ms',
      most: MOST_DAEMON_MS,
    }),
  ];
}

/** Resolves to the time from the kill to the first answer that shows all servers running, in milliseconds. */
async function gatewayReturns(gamekeeper: BenchGamekeeper): Promise<number> {
  const killed = gamekeeper.pidOf(/gateway\/main/);
  const start = performance.now();
  process.kill(killed, 'SIGKILL');
  const end = await whenAllRun(gamekeeper);
  if (gamekeeper.pidOf(/gateway\/main/) === killed) throw new Error('The killed gateway answered.');
  return end - start;
}

/** Resolves to the time from the start of the next daemon to that answer, in milliseconds. */
async function daemonReturns(gamekeeper: BenchGamekeeper): Promise<number> {
  await gamekeeper.replaceDaemon();
  const start = performance.now();
  return (await whenAllRun(gamekeeper)) - start;
}

async function whenAllRun(gamekeeper: BenchGamekeeper): Promise<number> {
  // Requests fail while there is no gateway.
  while ((await countRunning(gamekeeper).catch(() => 0)) < INSTANCES) await sleep(POLL_MS);
  return performance.now();
}
