import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createDaemonKey, type DaemonKey } from '../../support/link/daemon-key.ts';
import { until } from '../../support/machine/until.ts';
import { atMost, type BenchRow, medianOf } from '../row.ts';
import { ask } from './ask.ts';
import type { RealProxy } from './real-proxy.ts';

const DAEMONS = path.join(import.meta.dirname, '../../fixtures/linked-daemons.ts');
const LINKS = 2_000;
const REQUESTS = 500;
const LINKED_WITHIN_MS = 180_000;
const SECOND_MS = 1_000;
const IDLE_MS = 60_000;
const KIB_OF_MIB = 1024;

/** P2 and P3: what thousands of links cost the proxy, and how they return after its death. */
export async function manyLinks(cleanup: AsyncDisposableStack, proxy: RealProxy): Promise<BenchRow[]> {
  const keys = await Promise.all(Array.from({ length: LINKS }, () => createDaemonKey()));
  await proxy.register(keys);
  const child = fork(DAEMONS, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  cleanup.defer(() => void child.kill('SIGKILL'));
  const [before, memoryBefore] = [proxy.cpu(), proxy.memory()];
  child.send({ issuer: proxy.issuer, keys });
  await allLinked(child);
  const cpuMs = (proxy.cpu() - before) * 1000;
  const idleCpuMs = await idleCpu(proxy);
  const begun = proxy.cpu();
  const p50 = await latency(cleanup, proxy, keys);
  const requestCpuMs = ((proxy.cpu() - begun) * 1000) / REQUESTS;
  const linkKib = ((proxy.memory() - memoryBefore) * KIB_OF_MIB) / LINKS;
  return [
    atMost('P2', `memory of the proxy with ${LINKS} links`, proxy.memory(), { unit: 'MiB', most: 250 }),
    atMost('P2', 'a request to any of them, p50', p50, { unit: 'ms', most: 10 }),
    atMost('P2', 'accepting a link, CPU time', cpuMs / LINKS, { unit: 'ms', most: 3 }),
    atMost('P4', 'memory of each link', linkKib, { unit: 'KiB', most: 64 }),
    atMost('P4', 'an idle link, CPU time in a minute', idleCpuMs / LINKS, { unit: 'ms', most: 3 }),
    atMost('P4', 'a relayed request, CPU time', requestCpuMs, { unit: 'ms', most: 5 }),
    ...(await storm(child, proxy)),
  ];
}

/** Resolves to the CPU milliseconds of a minute in which daemons only show that they are there. */
async function idleCpu(proxy: RealProxy): Promise<number> {
  const begun = proxy.cpu();
  await delay(IDLE_MS);
  return (proxy.cpu() - begun) * 1000;
}

async function latency(cleanup: AsyncDisposableStack, proxy: RealProxy, keys: readonly DaemonKey[]): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  cleanup.defer(() => agent.destroy());
  const times: number[] = [];
  for (let n = 0; n < REQUESTS; n++) {
    const { daemonId } = keys[(n * 7919) % keys.length]!;
    const url = `${proxy.issuer}/d/${daemonId}/health`;
    const { status, ms } = await ask({ url, headers: await proxy.bearer(daemonId), agent });
    if (status !== 200) throw new Error(`A request was answered with ${status}.`);
    times.push(ms);
  }
  return medianOf(times);
}

/** Kills the proxy and starts another one, to which all daemons return. */
async function storm(child: ChildProcess, proxy: RealProxy): Promise<BenchRow[]> {
  const killedAt = performance.now();
  await proxy.replace();
  const begun = proxy.cpu();
  const meter = cpuBySecond(proxy);
  await allLinked(child);
  const seconds = (performance.now() - killedAt) / 1000;
  const cpuMs = (proxy.cpu() - begun) * 1000;
  return [
    atMost('P3', `${LINKS} links return after the proxy's death`, seconds, { unit: 's', most: 60 }),
    atMost('P3', 'CPU of the proxy in its busiest second', (await meter.stop()) * 100, {
      unit: '% of a core',
      most: 100,
    }),
    atMost('P3', 'a link that returns, CPU time', cpuMs / LINKS, { unit: 'ms', most: 3 }),
    atMost('P3', 'memory of the proxy afterwards', proxy.memory(), { unit: 'MiB', most: 250 }),
  ];
}

/** Measures the CPU seconds of each second. `stop` resolves to the highest. */
function cpuBySecond(proxy: RealProxy): { stop(): Promise<number> } {
  let isOver = false;
  async function measure(): Promise<number> {
    let [busiest, last, at] = [0, proxy.cpu(), performance.now()];
    while (!isOver) {
      await delay(SECOND_MS);
      const [cpu, now] = [proxy.cpu(), performance.now()];
      busiest = Math.max(busiest, ((cpu - last) * SECOND_MS) / (now - at));
      [last, at] = [cpu, now];
    }
    return busiest;
  }
  const measured = measure();
  return {
    stop() {
      isOver = true;
      return measured;
    },
  };
}

async function allLinked(child: ChildProcess): Promise<void> {
  let linked = 0;
  const count = async () => {
    child.send('count');
    [linked] = (await once(child, 'message')) as [number];
    return linked === LINKS;
  };
  await until('all are linked', count, { deadlineMs: LINKED_WITHIN_MS, describe: () => `${linked} are` });
}
