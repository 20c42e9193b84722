import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below Linux's range for outgoing connections, so that no connection of a test takes the port before it is used. */
const PORTS = { first: 10_000, last: 25_000 };
const ATTEMPTS = 100;

/** Resolves to a TCP port of 127.0.0.1 that is free now, for programs that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(PORTS.first, PORTS.last);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue; // The port is in use.
    }
    server.close();
    await once(server, 'close');
    return port;
  }
  throw new Error(`No port from ${PORTS.first} to ${PORTS.last} is free.`);
}
