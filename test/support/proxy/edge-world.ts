import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import type { Test } from 'tap';
import { createHttpServer } from '../../../gateway/http/server.ts';
import { createAccounts } from '../../../gateway/proxy/accounts/accounts.ts';
import { createDaemonTokens } from '../../../gateway/proxy/daemons/daemon-token.ts';
import { createDaemons } from '../../../gateway/proxy/daemons/directory.ts';
import { type EdgeOptions, type EdgeServer, startEdge } from '../../../gateway/proxy/edge/edge.ts';
import type { EdgeLimits } from '../../../gateway/proxy/edge/edge-config.ts';
import { claimTunnel } from '../../../gateway/proxy/edge/tunnels/claim.ts';
import { createEdges } from '../../../gateway/proxy/edge/tunnels/edges.ts';
import { createTunnels, type Tunnels } from '../../../gateway/proxy/edge/tunnels/tunnels.ts';
import { createClientAddresses } from '../../../gateway/proxy/http/client-addresses.ts';
import { type Database, openDatabase } from '../../../gateway/proxy/store/database.ts';
import type { TunnelTarget } from '../../../shared/contract/tunnel.ts';
import { createLogger } from '../../../shared/node/logger.ts';
import { PLAYER_UPGRADE, TUNNEL_TOKEN, tunnelPath } from '../../../shared/node/tunnel/relay-protocol.ts';
import type { OpenTunnel } from '../../../workers/tunnel/providers/provider.ts';
import { type AskPermit, createRelayProvider } from '../../../workers/tunnel/providers/relay/relay-provider.ts';
import { createDaemonKey, type DaemonKey, linkToken } from '../link/daemon-key.ts';
import { freePort } from '../machine/free-port.ts';
import { temporaryFolder } from '../machine/temporary-folder.ts';
import { SUFFIX } from './player-proxy.ts';

const LIMITS: EdgeLimits = { tunnels: 10, players: 1_000, bytesPerSecond: 2 ** 40, bytesPerMonth: 2 ** 50 };

export interface EdgeWorldOptions extends Partial<Pick<EdgeOptions, 'visitors' | 'groupOf' | 'isTrusted'>> {
  limits?: Partial<EdgeLimits>;
  /** Starts a reverse proxy in front of this address. Resolves to its own. */
  front?: (address: string) => Promise<string>;
}

/** An edge of the hosted proxy with a computer that is linked to it, in this process. */
export interface EdgeWorld {
  database: Database;
  edge: EdgeServer;
  /** Of tunnel processes. */
  url: string;
  tunnels: Tunnels;
  accountId: string;
  key: DaemonKey;
  /** Connections of tunnel processes to the edge. */
  connections: ReadonlySet<Socket>;
  /** Resolves to a permit for a server of the computer. */
  permit(instance: string, hostname?: string): AskPermit;
  /** Opens a tunnel to a game at this port. */
  open(instance: string, options: TunnelOptions): Promise<OpenTunnel>;
}

export interface TunnelOptions {
  target: Partial<TunnelTarget> & { port: number };
  hostname?: string;
  proxyProtocol?: boolean;
}

export async function startEdgeWorld(
  t: Pick<Test, 'teardown'>,
  { limits, front, isTrusted, ...rest }: EdgeWorldOptions = {},
): Promise<EdgeWorld> {
  const file = path.join(temporaryFolder(t as Test), 'proxy.db');
  const database = await openDatabase({ file, url: undefined, onError: () => undefined });
  const now = Date.now;
  const { id: accountId } = await createAccounts(database, now).add({ name: 'anna', passwordHash: '', isAdmin: false });
  const daemons = createDaemons(database, now);
  const key = await createDaemonKey();
  const { daemonId, publicKey } = key;
  await daemons.register({ daemonId, accountId, name: 'Home', publicKey, scopes: ['servers:read'] });

  const server = createHttpServer((_, response) => response.end(), {
    upgrades: ['websocket', PLAYER_UPGRADE],
    bodyTimeoutMs: 0,
  });
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = (await front?.(own)) ?? own;
  const first = await freePort();
  const edge = await startEdge({
    config: {
      suffix: SUFFIX,
      url,
      host: '127.0.0.1',
      port: 0,
      udpPorts: { first, last: first },
      limits: { ...LIMITS, ...limits },
      perAddress: 20,
      behindBalancer: isTrusted !== undefined,
      publicPort: undefined,
    },
    url,
    database,
    tokens: createDaemonTokens({ directory: daemons, issuer: url, now }),
    addresses: createClientAddresses(() => false),
    isTrusted: isTrusted ?? (() => false),
    log: createLogger({ name: 'proxy', level: 'error' }),
    ...rest,
  });
  server.on('upgrade', (request, socket, head) => edge.accept(request, socket, head));
  t.teardown(async () => {
    await edge.close();
    for (const socket of connections) socket.destroy();
    server.close();
    await database.destroy();
  });

  const permit =
    (instance: string, hostname?: string): AskPermit =>
    async ({ edition }) => {
      const claim = { daemonId, accountId, instance, edition, hostname };
      const { tunnel } = await claimTunnel(claim, { database, edges: createEdges(database, now), now });
      const target = `${url}${tunnelPath(daemonId, instance)}`;
      const token = await linkToken(key, target, { header: { typ: TUNNEL_TOKEN.typ }, claims: { jti: randomUUID() } });
      return { url: target, token, host: `${tunnel.label}.${tunnel.suffix}`, port: tunnel.udpPort ?? edge.port };
    };
  return {
    database,
    edge,
    url,
    tunnels: createTunnels(database, now),
    accountId,
    key,
    connections,
    permit,
    async open(instance, { target, hostname, proxyProtocol = false }) {
      const provider = createRelayProvider({ provider: 'relay', proxyProtocol }, permit(instance, hostname));
      const whole: TunnelTarget = { host: '127.0.0.1', probe: 'java', answers: true, ...target };
      const { signal } = new AbortController();
      const news = { claim: () => undefined, learned: () => undefined };
      const opened = await provider.open(() => whole, signal, news);
      t.teardown(() => opened.close());
      return opened;
    },
  };
}
