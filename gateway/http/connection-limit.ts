import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Nobody fills a listener alone. */
const SHARE_OF_ONE_ADDRESS = 0.5;

interface Connection {
  socket: Socket;
  /** What HTTP is spoken on: with TLS another one, once its handshake is through. */
  spoken: Socket & { _httpMessage?: ServerResponse | null; parser?: unknown };
}

/**
 * Keeps a listener from being filled up: `most` connections at once, half of them from one address. Who comes beyond that is let in
 * at the cost of the oldest connection, of that address or of the one that has the most, on which it is the other end's turn: it has
 * said nothing, not everything, or does not read its answer. Where all of them are being served, the newcomer is turned away.
 * Timeouts end what lasts too long; this bounds what there can be until then (CVE-2025-69199: sockets without a limit).
 *
 * There is no limit to the requests on one connection: they cost the same as on many, and are counted by credential.
 */
export function limitConnections(server: Server, most: () => number): void {
  /** By address and port of the other end. */
  const open = new Map<string, Map<number, Connection>>();
  let total = 0;

  server.on('connection', (socket) => {
    const { remoteAddress, remotePort } = socket;
    // Gone before it was accepted; or a local socket, which only this user can open.
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
    if (same.size > most() * SHARE_OF_ONE_ADDRESS) makeRoom(same.values(), newcomer);
    else if (total > most()) makeRoom(largest(open.values()).values(), newcomer);
  });

  server.on('secureConnection', (secure) => {
    const connection = open.get(secure.remoteAddress ?? '')?.get(secure.remotePort ?? 0);
    if (connection) connection.spoken = secure;
  });
}

function makeRoom(among: Iterable<Connection>, newcomer: Connection): void {
  for (const connection of among) {
    if (connection === newcomer || !isOthersTurn(connection)) continue;
    connection.socket.destroy();
    return;
  }
  newcomer.socket.destroy();
}

/** Node has no public way to ask a socket for its request. A WebSocket has no parser any more, and is counted by credential. */
function isOthersTurn({ spoken: { _httpMessage: answer, parser } }: Connection): boolean {
  if (!answer) return parser !== null;
  return !answer.req.complete || answer.writableEnded;
}

function largest(groups: Iterable<Map<number, Connection>>): Map<number, Connection> {
  let found = new Map<number, Connection>();
  for (const group of groups) if (group.size > found.size) found = group;
  return found;
}
