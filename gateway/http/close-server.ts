import type { Server, ServerResponse } from 'node:http';
import type { Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';

const SWEEP_EVERY_MS = 20;

/** What Node keeps at a connection: the answer that it carries (null between two requests), and null instead of the parser after an upgrade. */
type Connection = Duplex & { _httpMessage?: ServerResponse | null; parser?: unknown };

/**
 * Lets `server.close()` spare the connections whose answer is not all sent yet. For Node, a connection is idle as soon as the handler has ended
 * the answer, however much of it waits for a slow reader: downloads would lack their end.
 */
export function spareUnsentAnswers(server: Server, { secure }: { secure: boolean }): void {
  const connections = new Set<Connection>();
  server.on(secure ? 'secureConnection' : 'connection', (connection: Connection) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
  });
  // `close` calls it too. A connection without any request so far is about to send one.
  server.closeIdleConnections = () => {
    for (const connection of connections)
      if (connection._httpMessage === null && connection.parser !== null) connection.destroy();
  };
}

/**
 * Accepts no more connections, and ends each one when its answer is sent, after `graceMs` at the latest. Resolves when all have ended. `accepting`
 * is the server that listens, if it is another one, which hands its connections over.
 */
export async function closeServer(server: Server, graceMs: number, accepting: NetServer = server): Promise<void> {
  const sweeping = setInterval(() => server.closeIdleConnections(), SWEEP_EVERY_MS);
  const ending = setTimeout(() => server.closeAllConnections(), graceMs);
  // It may not be listening any more, but still have connections.
  await new Promise<void>((resolve) => accepting.close(() => resolve()));
  clearInterval(sweeping);
  clearTimeout(ending);
}
