import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what Linux hands to outgoing connections, so that none of the many that tests make takes the port before it is used. */
const PORTS = { first: 10_000, last: 25_000 };
const ATTEMPTS = 100;

/** A TCP port on 127.0.0.1 that nobody listens on right now, for a program that cannot choose one itself. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(PORTS.first, PORTS.last);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue; // taken
    }
    server.close();
    await once(server, 'close');
    return port;
  }
  throw new Error(`No port from ${PORTS.first} to ${PORTS.last} is free.`);
}
