import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressGroup } from '../../shared/node/address-group.ts';

const SHARE_OF_ONE_GROUP = 0.5;

interface Connection {
  socket: Socket;
  /** The socket that carries HTTP. With TLS it is another one, after the handshake. */
  spoken: Socket & { _httpMessage?: ServerResponse | null; parser?: unknown };
}

/**
 * Limits a listener to `most` connections at once, half of them from one address group (CVE-2025-69199: sockets without a limit). A connection
 * beyond that replaces the oldest one that waits for its client (no request yet, an incomplete one, or an answer that is not read): of the
 * same group, or of the group with the most connections. If all of them are being served, the new connection is closed.
 *
 * Requests on one connection are not limited: they cost the same as on many, and are counted by credential.
 */
export function limitConnections(server: Server, most: () => number): void {
  /** By group, then by address and port. */
  const open = new Map<string, Map<string, Connection>>();
  let total = 0;

  server.on('connection', (socket) => {
    const { remoteAddress, remotePort } = socket;
    // Closed before it was accepted, or a local socket, which only this user can open.
    if (remoteAddress === undefined || remotePort === undefined) return;
    const group = addressGroup(remoteAddress);
    const same = open.get(group) ?? new Map<string, Connection>();
    const newcomer = { socket, spoken: socket };
    const from = `${remoteAddress} ${remotePort}`;
    open.set(group, same.set(from, newcomer));
    total++;
    socket.once('close', () => {
      total--;
      same.delete(from);
      if (same.size === 0) open.delete(group);
    });
    if (same.size > most() * SHARE_OF_ONE_GROUP) closeOldest(same.values(), newcomer);
    else if (total > most()) closeOldest(largest(open.values()).values(), newcomer);
  });

  server.on('secureConnection', (secure) => {
    const { remoteAddress = '', remotePort } = secure;
    const connection = open.get(addressGroup(remoteAddress))?.get(`${remoteAddress} ${remotePort}`);
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

function largest(groups: Iterable<Map<string, Connection>>): Map<string, Connection> {
  let found = new Map<string, Connection>();
  for (const group of groups) if (group.size > found.size) found = group;
  return found;
}
