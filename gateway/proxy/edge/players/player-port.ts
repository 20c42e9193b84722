import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { errorCode } from '../../../../shared/errors/error-code.ts';
import { addressGroup } from '../../../../shared/node/address-group.ts';
import { StartupError } from '../../../../shared/node/processes/startup-error.ts';
import { type PlayerAddress, readAnnouncedAddress } from './announced-address.ts';
import { type FirstBytes, takeFirstBytes } from './first-bytes.ts';
import { type FirstPacket, readFirstPacket } from './first-packet.ts';
import type { Refusal, TurnedAway } from './turned-away.ts';
import type { Visitors } from './visitors.ts';

/** A process has a few thousand file descriptors by default, and needs others. */
const MOST_CONNECTIONS = 20_000;

/** A connection whose first packet has arrived. */
export interface Arrival extends FirstPacket {
  socket: Socket;
  player: PlayerAddress;
  /** Of the player's address, for limits. */
  group: string;
}

export interface PlayerPortOptions {
  host: string | undefined;
  port: number;
  visitors: Visitors;
  turnedAway: Pick<TurnedAway, 'count'>;
  /** The socket is paused, and its next data is the first packet again. */
  onPlayer: (arrival: Arrival) => void;
  /** Returns whether a load balancer has this address, which tells the player's own; absent: players connect directly. */
  isBalancer?: ((address: string) => boolean) | undefined;
  /** Returns the key for limits by address. */
  groupOf?: ((address: string) => string) | undefined;
}

export interface PlayerPort {
  readonly port: number;
  close(): Promise<void>;
}

/** Listens for players of Java Edition, and finds out which server they want. Throws StartupError if the port cannot be opened. */
export async function openPlayerPort(options: PlayerPortOptions): Promise<PlayerPort> {
  const { host, port, visitors, turnedAway, onPlayer, isBalancer, groupOf = addressGroup } = options;
  const sockets = new Set<Socket>();

  function receive(socket: Socket, player: PlayerAddress): void {
    const group = groupOf(player.address);
    const arrived = visitors.arrives(group) ? visitors.beginsHandshake(group, () => socket.destroy()) : undefined;
    if (!arrived) {
      refuse(socket, 'limited');
      return;
    }
    takeFirstBytes(socket, readArrival, (found) => {
      arrived();
      if (found) onPlayer({ ...found, socket, player, group });
      else refuse(socket, 'no-handshake');
    });
  }

  function refuse(socket: Socket, reason: Refusal): void {
    turnedAway.count(reason);
    socket.destroy();
  }

  const server = createServer(
    { noDelay: true, keepAlive: true, allowHalfOpen: true, pauseOnConnect: true },
    (socket) => {
      socket.on('error', () => undefined); // Followed by 'close'.
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      const { remoteAddress: address = '', remotePort: port = 0 } = socket;
      if (!isBalancer) receive(socket, { address, port });
      else if (isBalancer(address))
        takeFirstBytes(socket, readAnnouncedAddress, (player) => {
          if (player) receive(socket, player);
          else refuse(socket, 'no-handshake');
        });
      // Anybody else could write any address.
      else refuse(socket, 'no-handshake');
    },
  );
  server.maxConnections = MOST_CONNECTIONS;
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (cause) {
    const reason = errorCode(cause) === 'EADDRINUSE' ? 'another program uses it' : (cause as Error).message;
    throw new StartupError(
      `Cannot listen for players on port ${port}: ${reason}.\nSet GAMEKEEPER_PROXY_EDGE_HOST or GAMEKEEPER_PROXY_EDGE_PORT.`,
      { cause },
    );
  }
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Leaves the packet on the connection, for the game. */
function readArrival(bytes: Buffer): FirstBytes<FirstPacket> | undefined {
  const found = readFirstPacket(bytes);
  return found && { found, length: 0 };
}
