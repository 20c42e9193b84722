import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FromTunnel, ToTunnel, TunnelTarget } from '../../../shared/contract/tunnel.ts';
import { TUNNEL_TOKEN, tunnelPath } from '../../../shared/node/tunnel/relay-protocol.ts';
import { createDaemonKey, type DaemonKey, linkToken } from '../../support/link/daemon-key.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { type RealProxy, startRealProxy } from '../proxy/real-proxy.ts';

const TUNNEL = path.join(import.meta.dirname, '../../../dist/workers/tunnel/main.js');
const GAME = path.join(import.meta.dirname, '../../fixtures/game-for-bench.ts');
const INSTANCE = 'demo';
export const HOST = 'demo.play.localhost';
const PLENTY = '9999999';

/** A game that players reach through the built proxy and a built tunnel process. */
export interface RelayedGame {
  proxy: RealProxy;
  /** Of the proxy. */
  players: number;
  /** Of the game itself. */
  direct: number;
}

/** Starts all three. The game sends `bytes` to whoever asks for them. */
export async function startRelayedGame(cleanup: AsyncDisposableStack, bytes: number): Promise<RelayedGame> {
  const game = fork(GAME, [String(bytes)]);
  cleanup.defer(() => ended(game));
  const [direct] = (await once(game, 'message')) as [number];
  const players = await freePort();
  const proxy = await startRealProxy(cleanup, {
    GAMEKEEPER_PROXY_EDGE: 'yes',
    GAMEKEEPER_PROXY_EDGE_NAME: HOST.slice(HOST.indexOf('.') + 1),
    GAMEKEEPER_PROXY_EDGE_HOST: '127.0.0.1',
    GAMEKEEPER_PROXY_EDGE_PORT: String(players),
    GAMEKEEPER_PROXY_EDGE_PLAYERS: PLENTY,
    GAMEKEEPER_PROXY_EDGE_MBIT: PLENTY,
    GAMEKEEPER_PROXY_EDGE_GB_PER_MONTH: PLENTY,
    GAMEKEEPER_PROXY_EDGE_PER_ADDRESS: PLENTY,
  });
  const key = await createDaemonKey();
  await proxy.register([key]);
  await openTunnel(cleanup, { proxy, key, target: { host: '127.0.0.1', port: direct, probe: 'java', answers: false } });
  return { proxy, players, direct };
}

/** Does what a supervisor does. */
async function openTunnel(
  cleanup: AsyncDisposableStack,
  { proxy, key, target }: { proxy: RealProxy; key: DaemonKey; target: TunnelTarget },
): Promise<void> {
  const home = mkdtempSync(path.join(tmpdir(), 'gk-bench-tunnel-'));
  cleanup.defer(() => rmSync(home, { recursive: true, force: true }));
  const tunnel = fork(TUNNEL, ['--home', home, '--instance', INSTANCE]);
  cleanup.defer(() => ended(tunnel));
  const send = (message: ToTunnel) => tunnel.send(message);
  const opened = Promise.withResolvers<void>();
  tunnel.on('message', async (message: FromTunnel) => {
    if (message.type === 'status' && message.status.address !== '') opened.resolve();
    if (message.type === 'status' && message.status.error !== undefined) opened.reject(new Error(message.status.error));
    if (message.type !== 'permit') return;
    send({ type: 'permit', number: message.number, permit: await permitFor(proxy, key) });
  });
  send({ type: 'open', settings: { provider: 'relay', hostname: INSTANCE, proxyProtocol: false }, target });
  await opened.promise;
}

async function permitFor({ issuer }: RealProxy, key: DaemonKey) {
  const answer = await fetch(`${issuer}/api/daemons/${key.daemonId}/tunnels/${INSTANCE}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${await linkToken(key, issuer)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ edition: 'java', hostname: INSTANCE }),
  });
  if (answer.status !== 200) throw new Error(`No address: ${await answer.text()}`);
  const { host, port, url: edge } = (await answer.json()) as { host: string; port: number; url: string };
  const url = `${edge}${tunnelPath(key.daemonId, INSTANCE)}`;
  return { url, token: await linkToken(key, url, { header: { typ: TUNNEL_TOKEN.typ } }), host, port };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
