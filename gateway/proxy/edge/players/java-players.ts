import type { Duplex } from 'node:stream';
import type { Logger } from '../../../../shared/node/logger.ts';
import { joinSockets } from '../../../../shared/node/tunnel/join-sockets.ts';
import { MeetingError, type TunnelLink } from '../links/tunnel-link.ts';
import { serveStatus } from '../status/serve-status.ts';
import { StatusCache } from '../status/status-cache.ts';
import type { Tunnel } from '../tunnels/tunnels.ts';
import type { AccountTraffic } from './account-traffic.ts';
import { type Away, answerAway } from './answer-away.ts';
import type { Arrival } from './player-port.ts';
import type { Refusal, TurnedAway } from './turned-away.ts';
import type { Visitors } from './visitors.ts';

/** Looks for names in the database at a time. A flood of unknown names must not occupy it. */
const MOST_LOOK_UPS = 16;

export interface JavaPlayersOptions {
  suffix: string;
  links: { find(label: string): TunnelLink | undefined };
  /** Finds servers whose computer is away. */
  findTunnel: (label: string) => Promise<Tunnel | undefined>;
  traffic: AccountTraffic;
  visitors: Visitors;
  turnedAway: Pick<TurnedAway, 'count'>;
  log: Logger;
}

/** Connects players of Java Edition with the servers whose names they typed. */
export class JavaPlayers {
  readonly #options: JavaPlayersOptions;
  /** How to end the players of each tunnel. */
  readonly #byTunnel = new Map<string, Set<() => void>>();
  readonly #statuses: StatusCache;
  #lookUps = 0;

  constructor(options: JavaPlayersOptions) {
    this.#options = options;
    this.#statuses = new StatusCache((bytes, { tunnel }) => options.traffic.take(tunnel.accountId, bytes));
  }

  welcome(arrival: Arrival): void {
    const { socket, host, player, group, statusFor } = arrival;
    const { suffix, links, traffic, visitors } = this.#options;
    const label = host.endsWith(`.${suffix}`) ? host.slice(0, -suffix.length - 1) : '';
    const link = links.find(label);
    if (!link) {
      void this.#answerAbsent(socket, label);
      return;
    }
    const { tunnel } = link;
    const refusal = traffic.refusal(tunnel.accountId);
    // Whoever only looks takes nobody's place.
    if (refusal && !(refusal === 'full' && statusFor !== undefined)) {
      this.#explain(socket, refusal);
      return;
    }
    const leave = tunnel.edition === 'java' ? visitors.enters(group, tunnel.id) : undefined;
    if (!leave) {
      this.#refuse(socket, tunnel.edition === 'java' ? 'limited' : 'unknown');
      return;
    }
    if (statusFor !== undefined) {
      socket.once('close', leave);
      this.#tellStatus(arrival, link, statusFor);
      return;
    }
    const left = this.#enter(tunnel, () => socket.destroy());
    socket.once('close', () => {
      left();
      leave();
    });
    link.meet(player).then(
      (connection) => this.#connect(socket, connection, tunnel),
      (error: unknown) => {
        if (!(error instanceof MeetingError))
          this.#options.log.error({ err: error }, 'a player could not be connected');
        this.#explain(socket, 'offline');
      },
    );
  }

  #tellStatus({ socket, player }: Arrival, link: TunnelLink, protocol: number): void {
    const { suffix, traffic } = this.#options;
    const { label, accountId } = link.tunnel;
    const address = { host: `${label}.${suffix}`, port: socket.localPort ?? 0 };
    const ask = () => this.#statuses.read({ link, protocol, address, player });
    serveStatus(socket, ask, (bytes) => traffic.take(accountId, bytes)).catch(() =>
      // Whatever a server answers is its own affair.
      this.#explain(socket, 'offline'),
    );
  }

  /** The tunnels with players, who may outlive the control link. */
  ids(): string[] {
    return [...this.#byTunnel.keys()];
  }

  /** Disconnects the players of a tunnel. */
  end(tunnelId: string): void {
    for (const end of this.#byTunnel.get(tunnelId) ?? []) end();
  }

  #connect(socket: Arrival['socket'], connection: Duplex, { accountId }: Tunnel): void {
    if (socket.destroyed) {
      connection.destroy();
      return;
    }
    joinSockets(socket, connection, (bytes) => this.#options.traffic.take(accountId, bytes));
  }

  #enter({ id, accountId }: Tunnel, end: () => void): () => void {
    const leave = this.#options.traffic.enter(accountId, end);
    const players = this.#byTunnel.get(id) ?? new Set();
    this.#byTunnel.set(id, players.add(end));
    return () => {
      leave();
      players.delete(end);
      if (players.size === 0) this.#byTunnel.delete(id);
    };
  }

  /** Names that do not exist get no answer: nobody can find out which ones do by asking for text. */
  async #answerAbsent(socket: Arrival['socket'], label: string): Promise<void> {
    if (label === '' || label.includes('.') || this.#lookUps >= MOST_LOOK_UPS) {
      this.#refuse(socket, 'unknown');
      return;
    }
    this.#lookUps++;
    const tunnel = await this.#options.findTunnel(label).catch(() => undefined);
    this.#lookUps--;
    if (tunnel?.edition === 'java') this.#explain(socket, tunnel.isSuspended ? 'suspended' : 'offline');
    else this.#refuse(socket, 'unknown');
  }

  #explain(socket: Arrival['socket'], why: Away): void {
    this.#options.turnedAway.count(why);
    answerAway(socket, why);
  }

  #refuse(socket: Arrival['socket'], reason: Refusal): void {
    this.#options.turnedAway.count(reason);
    socket.destroy();
  }
}
