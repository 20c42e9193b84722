import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below Linux's range for outgoing connections, so that no connection of a test takes the port before it is used. */
const PORTS = { first: 10_000, last: 25_000 };
const ATTEMPTS = 100;

/**
 * Resolves to a TCP port of 127.0.0.1 that is free now, for programs that cannot choose one themselves. On Linux, no test process gets it
 * again before this one has ended.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(PORTS.first, PORTS.last);
    // The claim first: trying a port that another test has drawn could make its program fail to listen at that moment.
    if ((await claim(port)) && (await isFree(port))) return port;
  }
  throw new Error(`No port from ${PORTS.first} to ${PORTS.last} is free.`);
}

/**
 * Claims a port for the lifetime of this process with an abstract socket, which the kernel removes when the process ends (unix(7)). Resolves
 * to `false` if a test process has claimed it already.
 */
async function claim(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  return listens(createServer().unref().listen(`\0gamekeeper-test-port-${port}`));
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  if (!(await listens(server))) return false;
  server.close();
  await once(server, 'close');
  return true;
}

/** Resolves to whether the server listens, `false` if its address is in use or, on Windows, reserved. */
async function listens(server: Server): Promise<boolean> {
  try {
    await once(server, 'listening');
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    return false;
  }
}
