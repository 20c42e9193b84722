import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from '../../../shared/node/logger.ts';
import type { DaemonTokens } from '../daemons/daemon-token.ts';
import type { ClientAddresses } from '../http/client-addresses.ts';
import type { Database } from '../store/database.ts';
import type { EdgeConfig } from './edge-config.ts';
import { TunnelLinks } from './links/tunnel-links.ts';
import { AccountTraffic } from './players/account-traffic.ts';
import { JavaPlayers } from './players/java-players.ts';
import { openPlayerPort } from './players/player-port.ts';
import { createVisitors, type Visitors } from './players/visitors.ts';
import { createEdges } from './tunnels/edges.ts';
import { createTunnels } from './tunnels/tunnels.ts';
import { createUsage } from './tunnels/usage.ts';

const NOTE_USE_EVERY_MS = 60 * 60 * 1000;

export interface EdgeOptions {
  config: EdgeConfig;
  /** Where tunnel processes reach this process, without a slash at the end. */
  url: string;
  database: Database;
  tokens: Pick<DaemonTokens, 'redeem'>;
  addresses: ClientAddresses;
  log: Logger;
  visitors?: Visitors;
  groupOf?: (address: string) => string;
}

/** The part of the proxy that players connect to. */
export interface EdgeServer {
  /** Of players of Java Edition. */
  readonly port: number;
  /** Serves `GET /tunnel/...`. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends the tunnels that were removed or suspended. */
  review(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the ports for players. Throws StartupError if it cannot. */
export async function startEdge(options: EdgeOptions): Promise<EdgeServer> {
  const { config, url, database, tokens, addresses, log } = options;
  const { suffix, limits } = config;
  await using cleanup = new AsyncDisposableStack();
  const tunnels = createTunnels(database, Date.now);
  const usage = createUsage(database, Date.now);
  const traffic = new AccountTraffic(limits, usage);
  const visitors = options.visitors ?? createVisitors();
  cleanup.defer(usage.start(log, (accountId, total) => traffic.written(accountId, total)));

  const links = new TunnelLinks({
    edge: { url, suffix },
    tunnels,
    tokens,
    addresses,
    onOpen: ({ tunnel }) => {
      traffic
        .learn(tunnel.accountId)
        .catch((error: unknown) => log.warn({ err: error }, 'the traffic of an account could not be read'));
      return () => undefined;
    },
    onEnded: (tunnelId) => java.end(tunnelId),
    log,
  });
  const findTunnel = (label: string) => tunnels.findByName(suffix, label);
  const java = new JavaPlayers({ suffix, links, findTunnel, traffic, visitors, log });
  const port = await openPlayerPort({
    ...config,
    visitors,
    onPlayer: (arrival) => java.welcome(arrival),
    ...(options.groupOf && { groupOf: options.groupOf }),
  });
  cleanup.defer(() => port.close());
  cleanup.defer(() => links.close());
  const noting = setInterval(() => {
    links.noteUse().catch((error: unknown) => log.warn({ err: error }, 'the use of tunnels could not be noted'));
  }, NOTE_USE_EVERY_MS);
  cleanup.defer(() => clearInterval(noting));
  const { udpPorts } = config;
  const announced = { suffix, url, port: port.port, udpPorts, mostTunnels: limits.tunnels };
  const onError = (error: unknown) => log.warn({ err: error }, 'this edge could not be announced');
  cleanup.defer(await createEdges(database, Date.now).announce(announced, onError));
  log.info({ suffix, port: port.port }, 'players can connect');
  const close = cleanup.move();
  return {
    port: port.port,
    accept: (request, socket, head) => links.accept(request, socket, head),
    review: () => links.review(),
    close: () => close.disposeAsync(),
  };
}
