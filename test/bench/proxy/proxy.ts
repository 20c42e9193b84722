/** The hosted proxy: what its relay adds to a request (P1), and what thousands of links cost it (P2). */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import path from 'node:path';
import { RELAY_LIMITS } from '../../../gateway/proxy/relay/account-limits.ts';
import { createDaemonKey, type DaemonKey } from '../../support/link/daemon-key.ts';
import { linkToRelay, type RelayOfDaemon } from '../../support/link/link-to-relay.ts';
import { until } from '../../support/machine/until.ts';
import { atMost, type BenchRow, medianOf, rounded } from '../row.ts';
import { startForBench } from '../running-gamekeeper.ts';

const DAEMONS = path.join(import.meta.dirname, '../../fixtures/linked-daemons.ts');
const LINKS = 2_000;
const REQUESTS = 500;
const WARM_UP = 200;
const MIB = 1024 * 1024;
const NO_RATE = { ...RELAY_LIMITS, requestsPerSecond: 100_000, burst: 100_000 };

export async function run(): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const t = { teardown: (end: () => unknown) => cleanup.defer(async () => void (await end())) } as never;
  const gamekeeper = await startForBench(cleanup);
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
  const keys = await Promise.all(Array.from({ length: LINKS }, () => createDaemonKey()));
  const daemons = keys.map(({ daemonId, publicKey }) => ({ daemonId, publicKey, accountId: 'account-1', name: 'PC' }));
  const linked = await linkToRelay(t, gamekeeper.home, { daemons, limits: NO_RATE });
  const agent = new Agent({ keepAlive: true });
  cleanup.defer(() => agent.destroy());
  const relayed = { url: `${linked.base}/instances`, headers: await linked.bearer(['servers:read']), agent };
  const direct = { url: `${gamekeeper.panel}/instances`, headers: { authorization: gamekeeper.authorization }, agent };
  await until('the daemon is linked', async () => (await ask(relayed)).status === 200);

  const times = { direct: [] as number[], relayed: [] as number[] };
  for (let n = -WARM_UP; n < REQUESTS; n++) {
    // In turns, so that other work on the machine delays both alike.
    const [first, second] = [await ask(direct), await ask(relayed)];
    if (n < 0) continue;
    times.direct.push(first.ms);
    times.relayed.push(second.ms);
  }
  const [before, after] = [medianOf(times.direct), medianOf(times.relayed)];
  return [
    {
      id: 'P1',
      what: 'GET /instances through the relay on loopback, p50',
      value: rounded(after),
      unit: 'ms',
      comparedWith: 'the same request direct',
      reference: rounded(before),
      ratio: rounded(after / before),
      goal: 'adds at most 3 ms',
      pass: after - before <= 3,
    },
    ...(await manyLinks(cleanup, linked, { keys, agent })),
  ];
}

async function manyLinks(
  cleanup: AsyncDisposableStack,
  { relay, bearer }: RelayOfDaemon,
  { keys, agent }: { keys: DaemonKey[]; agent: Agent },
): Promise<BenchRow[]> {
  const before = await relay.report();
  const child = fork(DAEMONS, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  cleanup.defer(() => void child.kill('SIGKILL'));
  child.send({ issuer: relay.issuer, keys });
  await once(child, 'message');
  const after = await relay.report();
  const times: number[] = [];
  for (let n = 0; n < REQUESTS; n++) {
    const { daemonId } = keys[(n * 7919) % keys.length]!;
    const url = `${relay.issuer}/d/${daemonId}/health`;
    times.push((await ask({ url, headers: await bearer(['servers:read'], daemonId), agent })).ms);
  }
  const cpuMs = (after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system) / 1000;
  return [
    atMost('P2', `memory of the relay with ${LINKS} links`, after.memory.rss / MIB, { unit: 'MiB', most: 250 }),
    atMost('P2', 'a request to any of them, p50', medianOf(times), { unit: 'ms', most: 10 }),
    atMost('P2', 'accepting a link, CPU time', cpuMs / LINKS, { unit: 'ms', most: 3 }),
  ];
}

interface Question {
  url: string;
  headers: { authorization: string };
  agent: Agent;
}

function ask({ url, headers, agent }: Question): Promise<{ status: number; ms: number }> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    request(url, { headers, agent }, (response) => {
      response.resume();
      response.once('end', () => resolve({ status: response.statusCode ?? 0, ms: performance.now() - begun }));
    })
      .on('error', reject)
      .end();
  });
}
