import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { connectDaemon } from '../../../gateway/upstream/clients.ts';
import { SCOPES } from '../../../shared/domain/access/scope.ts';
import { homeAt } from '../../../shared/node/files/home.ts';
import { publicKeyIn } from '../../support/link/link-to-relay.ts';
import { until } from '../../support/machine/until.ts';
import { type BenchRow, medianOf, rounded } from '../row.ts';
import { startForBench } from '../running-gamekeeper.ts';
import { ask } from './ask.ts';
import type { RealProxy } from './real-proxy.ts';

const REQUESTS = 500;
const WARM_UP = 100;
/** The proxy allows an account 50 requests per second. */
const PAUSE_MS = 25;
/** A daemon waits up to half a minute before it connects again. */
const LINKED_WITHIN_MS = 90_000;

/** P1: what the proxy adds to a request to a real daemon. */
export async function addedLatency(cleanup: AsyncDisposableStack, proxy: RealProxy): Promise<BenchRow[]> {
  const gamekeeper = await startForBench(cleanup);
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
  const daemonId = await linkTo(proxy, gamekeeper.home);
  const agent = new Agent({ keepAlive: true });
  cleanup.defer(() => agent.destroy());
  const relayed = { url: `${proxy.issuer}/d/${daemonId}/instances`, headers: await proxy.bearer(daemonId), agent };
  const direct = { url: `${gamekeeper.panel}/instances`, headers: { authorization: gamekeeper.authorization }, agent };
  const isLinked = async () => (await ask(relayed)).status === 200;
  await until('the daemon is linked', isLinked, { deadlineMs: LINKED_WITHIN_MS });

  const times = { direct: [] as number[], relayed: [] as number[] };
  for (let n = -WARM_UP; n < REQUESTS; n++) {
    // In turns, so that other work on the machine delays both alike.
    const [first, second] = [await ask(direct), await ask(relayed)];
    if (second.status !== 200) throw new Error(`A relayed request was answered with ${second.status}.`);
    await delay(PAUSE_MS);
    if (n < 0) continue;
    times.direct.push(first.ms);
    times.relayed.push(second.ms);
  }
  const [before, after] = [medianOf(times.direct), medianOf(times.relayed)];
  return [
    {
      id: 'P1',
      what: 'GET /instances through the proxy on loopback, p50',
      value: rounded(after),
      unit: 'ms',
      comparedWith: 'the same request direct',
      reference: rounded(before),
      ratio: rounded(after / before),
      goal: 'adds at most 3 ms',
      pass: after - before <= 3,
    },
  ];
}

/** Links a daemon as the device flow would do it. Resolves to its id. */
async function linkTo({ issuer, register }: RealProxy, home: string): Promise<string> {
  const daemon = connectDaemon(homeAt(home).daemonSocket);
  const { daemonId } = await daemon.call.info();
  const pairing = { jwksUri: `${issuer}/oauth/jwks`, ceiling: [...SCOPES], name: 'Bench' };
  // The first pairing creates the key. Another proxy is tried at once.
  await daemon.call.setPairing({ ...pairing, issuer: `${issuer}/elsewhere` });
  await daemon.call.linkToken();
  await register([{ daemonId, publicKey: await publicKeyIn(homeAt(home).database) }]);
  await daemon.call.setPairing({ ...pairing, issuer });
  daemon.close();
  return daemonId;
}
