import type { Duplex } from 'node:stream';
import type { Logger } from '../../../../shared/node/logger.ts';
import { joinSockets } from '../../../../shared/node/tunnel/join-sockets.ts';
import { MeetingError, type TunnelLink } from '../links/tunnel-link.ts';
import type { Tunnel } from '../tunnels/tunnels.ts';
import type { AccountTraffic } from './account-traffic.ts';
import { answerAway } from './answer-away.ts';
import type { Arrival } from './player-port.ts';
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
  log: Logger;
}

/** Connects players of Java Edition with the servers whose names they typed. */
export class JavaPlayers {
  readonly #options: JavaPlayersOptions;
  /** How to end the players of each tunnel. */
  readonly #byTunnel = new Map<string, Set<() => void>>();
  #lookUps = 0;

  constructor(options: JavaPlayersOptions) {
    this.#options = options;
  }

  welcome({ socket, host, group }: Arrival): void {
    const { suffix, links, traffic, visitors } = this.#options;
    const label = host.endsWith(`.${suffix}`) ? host.slice(0, -suffix.length - 1) : '';
    const link = links.find(label);
    if (!link) {
      void this.#answerAbsent(socket, label);
      return;
    }
    const { tunnel } = link;
    const refusal = traffic.refusal(tunnel.accountId);
    if (refusal) {
      answerAway(socket, refusal);
      return;
    }
    const leave = tunnel.edition === 'java' ? visitors.enters(group, tunnel.id) : undefined;
    if (!leave) {
      socket.destroy();
      return;
    }
    const left = this.#enter(tunnel, () => socket.destroy());
    socket.once('close', () => {
      left();
      leave();
    });
    const { remoteAddress: address = '', remotePort: port = 0 } = socket;
    link.meet({ address, port }).then(
      (connection) => this.#connect(socket, connection, tunnel),
      (error: unknown) => {
        if (!(error instanceof MeetingError))
          this.#options.log.error({ err: error }, 'a player could not be connected');
        answerAway(socket, 'offline');
      },
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
      socket.destroy();
      return;
    }
    this.#lookUps++;
    const tunnel = await this.#options.findTunnel(label).catch(() => undefined);
    this.#lookUps--;
    if (tunnel?.edition === 'java') answerAway(socket, tunnel.isSuspended ? 'suspended' : 'offline');
    else socket.destroy();
  }
}
