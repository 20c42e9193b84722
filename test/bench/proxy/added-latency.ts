import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { connectDaemon } from '../../../gateway/upstream/clients.ts';
import { SCOPES } from '../../../shared/domain/access/scope.ts';
import { homeAt } from '../../../shared/node/files/home.ts';
import { publicKeyIn } from '../../support/link/link-to-relay.ts';
import { until } from '../../support/machine/until.ts';
import { type BenchRow, medianOf, ROUNDS, ratioRow, type Turn } from '../row.ts';
import { startForBench } from '../running-gamekeeper.ts';
import { ask } from './ask.ts';
import type { RealProxy } from './real-proxy.ts';

const REQUESTS = 500;
const WARM_UP = 100;
const MOST_ADDED_MS = 3;
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

  for (let n = 0; n < WARM_UP; n++) await askBoth({ direct, relayed });
  const turns: Turn[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const times = [];
    for (let n = 0; n < REQUESTS / ROUNDS; n++) times.push(await askBoth({ direct, relayed }));
    turns.push({
      ours: medianOf(times.map(({ relayedMs }) => relayedMs)),
      theirs: medianOf(times.map(({ directMs }) => directMs)),
    });
  }
  return [
    ratioRow({
      id: 'P1',
      what: 'GET /instances through the proxy on loopback, p50',
      unit: 'ms',
      comparedWith: 'the same request direct',
      turns,
      goal: { moreAtMost: MOST_ADDED_MS },
    }),
  ];
}

type Request = Parameters<typeof ask>[0];

/** In turns, so that other work on the machine delays both alike. */
async function askBoth({ direct, relayed }: { direct: Request; relayed: Request }) {
  const [first, second] = [await ask(direct), await ask(relayed)];
  if (second.status !== 200) throw new Error(`A relayed request was answered with ${second.status}.`);
  await delay(PAUSE_MS);
  return { directMs: first.ms, relayedMs: second.ms };
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
