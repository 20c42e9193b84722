import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { errorCode } from '../../../../shared/errors/error-code.ts';
import { addressGroup } from '../../../../shared/node/address-group.ts';
import { StartupError } from '../../startup-error.ts';
import { LONGEST_FIRST_PACKET, readFirstPacket } from './first-packet.ts';
import type { Visitors } from './visitors.ts';

/** Time for the first packet. Milliseconds. */
const HANDSHAKE_MS = 5_000;
/** A process has a few thousand file descriptors by default, and needs others. */
const MOST_CONNECTIONS = 20_000;

/** A connection whose first packet has arrived. */
export interface Arrival {
  socket: Socket;
  /** The host name that the player typed. */
  host: string;
  /** Of the player's address, for limits. */
  group: string;
}

export interface PlayerPortOptions {
  host: string | undefined;
  port: number;
  visitors: Visitors;
  /** The socket is paused, and its next data is the first packet again. */
  onPlayer: (arrival: Arrival) => void;
  /** Returns the key for limits by address. */
  groupOf?: ((address: string) => string) | undefined;
}

export interface PlayerPort {
  readonly port: number;
  close(): Promise<void>;
}

/** Listens for players of Java Edition, and finds out which server they want. Throws StartupError if the port cannot be opened. */
export async function openPlayerPort(options: PlayerPortOptions): Promise<PlayerPort> {
  const { host, port, visitors, onPlayer, groupOf = addressGroup } = options;
  const sockets = new Set<Socket>();
  const server = createServer(
    { noDelay: true, keepAlive: true, allowHalfOpen: true, pauseOnConnect: true },
    (socket) => {
      socket.on('error', () => undefined); // Followed by 'close'.
      const group = groupOf(socket.remoteAddress ?? '');
      const arrived = visitors.arrives(group) ? visitors.beginsHandshake(group, () => socket.destroy()) : undefined;
      if (!arrived) {
        socket.destroy();
        return;
      }
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      awaitFirstPacket(socket, (found) => {
        arrived();
        if (found) onPlayer({ socket, host: found.host, group });
        else socket.destroy();
      });
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

/** Calls `done` once: with the first packet, or without one if it does not come in time, is something else, or the connection ends. */
function awaitFirstPacket(socket: Socket, done: (found: { host: string } | undefined) => void): void {
  let bytes: Buffer = Buffer.alloc(0);
  const timer = setTimeout(() => end(undefined), HANDSHAKE_MS);
  const gone = () => end(undefined);

  function end(found: { host: string } | undefined): void {
    clearTimeout(timer);
    socket.off('data', look);
    socket.off('close', gone);
    socket.off('end', gone);
    socket.pause();
    if (found) socket.unshift(bytes);
    done(found);
  }
  function look(data: Buffer): void {
    bytes = bytes.length === 0 ? data : Buffer.concat([bytes, data]);
    try {
      const found = readFirstPacket(bytes);
      if (found) end(found);
      else if (bytes.length > LONGEST_FIRST_PACKET) end(undefined);
    } catch {
      end(undefined);
    }
  }
  socket.on('data', look);
  socket.once('close', gone);
  socket.once('end', gone);
  socket.resume();
}
