import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const SHARE_OF_ONE_ADDRESS = 0.5;

interface Connection {
  socket: Socket;
  /** The socket that carries HTTP. With TLS it is another one, after the handshake. */
  spoken: Socket & { _httpMessage?: ServerResponse | null; parser?: unknown };
}

/**
 * Limits a listener to `most` connections at once, half of them from one address (CVE-2025-69199: sockets without a limit). A connection
 * beyond that replaces the oldest one that waits for its client (no request yet, an incomplete one, or an answer that is not read): of the
 * same address, or of the address with the most connections. If all of them are being served, the new connection is closed.
 *
 * Requests on one connection are not limited: they cost the same as on many, and are counted by credential.
 */
export function limitConnections(server: Server, most: () => number): void {
  const open = new Map<string, Map<number, Connection>>();
  let total = 0;

  server.on('connection', (socket) => {
    const { remoteAddress, remotePort } = socket;
    // Closed before it was accepted, or a local socket, which only this user can open.
    if (remoteAddress === undefined || remotePort === undefined) return;
    const same = open.get(remoteAddress) ?? new Map<number, Connection>();
    const newcomer = { socket, spoken: socket };
    open.set(remoteAddress, same.set(remotePort, newcomer));
    total++;
    socket.once('close', () => {
      total--;
      same.delete(remotePort);
      if (same.size === 0) open.delete(remoteAddress);
    });
    if (same.size > most() * SHARE_OF_ONE_ADDRESS) closeOldest(same.values(), newcomer);
    else if (total > most()) closeOldest(largest(open.values()).values(), newcomer);
  });

  server.on('secureConnection', (secure) => {
    const connection = open.get(secure.remoteAddress ?? '')?.get(secure.remotePort ?? 0);
    if (connection) connection.spoken = secure;
  });
}

function closeOldest(among: Iterable<Connection>, newcomer: Connection): void {
  for (const connection of among) {
    if (connection === newcomer || !waitsForClient(connection)) continue;
    connection.socket.destroy();
    return;
  }
  newcomer.socket.destroy();
}

/** Node has no public way from a socket to its request. A WebSocket has no parser, and is counted by credential. */
function waitsForClient({ spoken: { _httpMessage: answer, parser } }: Connection): boolean {
  if (!answer) return parser !== null;
  return !answer.req.complete || answer.writableEnded;
}

function largest(groups: Iterable<Map<number, Connection>>): Map<number, Connection> {
  let found = new Map<number, Connection>();
  for (const group of groups) if (group.size > found.size) found = group;
  return found;
}
