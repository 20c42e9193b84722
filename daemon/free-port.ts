import { createServer } from 'node:net';
import { GamekeeperError } from '../shared/errors/gamekeeper-error.ts';

const LAST_PORT = 65_535;

/** The first port from `from` on that is not in `taken` and can be bound. Throws `port_in_use` when there is none. */
export async function firstFreePort(
  from: number,
  { taken, canBind }: { taken: ReadonlySet<number>; canBind: (port: number) => Promise<boolean> },
): Promise<number> {
  for (let port = from; port <= LAST_PORT; port++) {
    if (!taken.has(port) && (await canBind(port))) return port;
  }
  throw new GamekeeperError('port_in_use', `No port from ${from} to ${LAST_PORT} is free.`);
}

/** True when a game server could listen on this port of every address just now. */
export function canBind(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
