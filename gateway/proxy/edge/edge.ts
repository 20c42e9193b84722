import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from '../../../shared/node/logger.ts';
import type { DaemonTokens } from '../daemons/daemon-token.ts';
import type { ClientAddresses } from '../http/client-addresses.ts';
import type { Database } from '../store/database.ts';
import type { EdgeConfig } from './edge-config.ts';
import type { TunnelLink } from './links/tunnel-link.ts';
import { TunnelLinks } from './links/tunnel-links.ts';
import { AccountTraffic } from './players/account-traffic.ts';
import { BedrockPort, type BedrockPortOptions } from './players/bedrock-port.ts';
import { JavaPlayers } from './players/java-players.ts';
import { openPlayerPort } from './players/player-port.ts';
import { createTurnedAway, type Refusal } from './players/turned-away.ts';
import { createVisitors, type Visitors, visitorLimits } from './players/visitors.ts';
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
  /** Whether a reverse proxy or load balancer in front of this process has this address. */
  isTrusted: (address: string) => boolean;
  visitors?: Visitors;
  groupOf?: (address: string) => string;
}

export interface EdgeCounts {
  /** Servers that players can come in to. */
  tunnels: number;
  players: number;
  /** Both directions together, since the start. */
  bytes: number;
  turnedAway: [reason: Refusal, count: number][];
}

/** The part of the proxy that players connect to. */
export interface EdgeServer {
  /** Of players of Java Edition. */
  readonly port: number;
  /** Serves `GET /tunnel/...`. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends the tunnels that were removed or suspended. */
  review(): Promise<void>;
  /** For the metrics. */
  counts(): EdgeCounts;
  close(): Promise<void>;
}

/** Opens the ports for players. Throws StartupError if it cannot. */
export async function startEdge(options: EdgeOptions): Promise<EdgeServer> {
  const { config, url, database, tokens, addresses, groupOf, log } = options;
  const { suffix, limits } = config;
  await using cleanup = new AsyncDisposableStack();
  const tunnels = createTunnels(database, Date.now);
  const usage = createUsage(database, Date.now);
  const traffic = new AccountTraffic(limits, usage);
  const visitors = options.visitors ?? createVisitors(visitorLimits(config.perAddress));
  const turnedAway = createTurnedAway();
  cleanup.defer(usage.start(log, (accountId, total) => traffic.written(accountId, total)));

  const links = new TunnelLinks({
    edge: { url, suffix },
    tunnels,
    tokens,
    addresses,
    onOpen(link) {
      openUdpPort(link, { config, traffic, visitors, turnedAway, groupOf, log });
      // The tunnel may have been suspended while the link opened.
      Promise.all([traffic.learn(link.tunnel.accountId), review()]).catch((error: unknown) =>
        log.warn({ err: error }, 'a tunnel could not be looked up'),
      );
    },
    log,
  });
  const findTunnel = (label: string) => tunnels.findByName(suffix, label);
  const java = new JavaPlayers({ suffix, links, findTunnel, traffic, visitors, turnedAway, log });
  const review = async () => {
    const ids = [...new Set([...links.ids(), ...java.ids()])];
    const usable = await tunnels.usable(ids);
    for (const id of ids)
      if (!usable.has(id)) {
        links.end(id);
        java.end(id);
      }
  };
  const port = await openPlayerPort({
    ...config,
    visitors,
    turnedAway,
    onPlayer: (arrival) => java.welcome(arrival),
    isBalancer: config.behindBalancer ? options.isTrusted : undefined,
    groupOf,
  });
  cleanup.defer(() => port.close());
  cleanup.defer(() => links.close());
  const noting = setInterval(() => {
    tunnels
      .used(links.ids())
      .catch((error: unknown) => log.warn({ err: error }, 'the use of tunnels could not be noted'));
  }, NOTE_USE_EVERY_MS);
  cleanup.defer(() => clearInterval(noting));
  const { udpPorts } = config;
  const announced = { suffix, url, port: config.publicPort ?? port.port, udpPorts, mostTunnels: limits.tunnels };
  const onError = (error: unknown) => log.warn({ err: error }, 'this edge could not be announced');
  cleanup.defer(await createEdges(database, Date.now).announce(announced, onError));
  log.info({ suffix, port: port.port }, 'players can connect');
  const close = cleanup.move();
  return {
    port: port.port,
    accept: (request, socket, head) => links.accept(request, socket, head),
    review,
    counts: () => ({
      tunnels: links.count,
      players: traffic.players,
      bytes: traffic.bytes,
      turnedAway: turnedAway.entries(),
    }),
    close: () => close.disposeAsync(),
  };
}

/** Opens the port for players of Bedrock Edition, until the link ends. */
function openUdpPort(
  link: TunnelLink,
  options: Omit<BedrockPortOptions, 'host' | 'port' | 'link'> & Pick<EdgeOptions, 'config' | 'log'>,
): void {
  const { udpPort } = link.tunnel;
  if (udpPort === undefined) return;
  const { config, log, ...rest } = options;
  const port = new BedrockPort({ ...rest, host: config.host, port: udpPort, link });
  link.onDatagram = (message) => port.fromServer(message);
  link.onEnd = () => port.close();
  port.open().catch((error: unknown) => log.error({ err: error, port: udpPort }, 'a UDP port could not be opened'));
}
