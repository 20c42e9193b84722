import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { findPortHolder } from './port-holder.ts';

/** Every address of the machine; a dual-stack socket there meets what listens on any of them. */
const ANY_ADDRESS = '::';
const ANY_IPV4_ADDRESS = '0.0.0.0';

/**
 * Above the ports that Minecraft servers are given by habit and below the ones that systems hand to outgoing connections (Linux from
 * 32768 on, others from 49152): a port that was free when it was chosen is not taken by the next connection to anywhere.
 */
const QUIET_PORTS = { first: 26_000, last: 32_767 };
const PORT_ATTEMPTS = 100;

export interface PortWish {
  port: number;
  /** Address that the server will bind; absent: all of them. */
  host?: string;
  /** What the port is for, in a sentence: `port`, `RCON port`. */
  use: string;
}

/**
 * Finds out whether the game could listen on a TCP port, by doing so for a moment. Throws `port_in_use` with the name of the
 * holder where the system tells it, or `launch_failed` where the address or port cannot be had at all.
 */
export async function requireFreePort({ port, host, use }: PortWish): Promise<void> {
  const code = await tryToListen(port, host);
  if (code === undefined) return;
  if (code === 'EADDRINUSE') {
    const holder = await findPortHolder(port);
    const by = holder ? ` by ${holder.name} (process ${holder.pid})` : ' by another program';
    throw new GamekeeperError('port_in_use', `The ${use} ${port} is in use${by}.`, {
      resolution: holder
        ? `Stop ${holder.name} (process ${holder.pid}), or give the instance another port.`
        : 'Stop the other program, or give the instance another port.',
    });
  }
  if (code === 'EACCES')
    throw new GamekeeperError('launch_failed', `The ${use} ${port} may not be opened by this user.`, {
      resolution: 'Use a port above 1023.',
    });
  throw new GamekeeperError(
    'launch_failed',
    `The server cannot listen on ${host ?? 'this machine'}, port ${port} (${code}).`,
    {
      resolution: 'Correct server-ip in server.properties: it must be an address of this machine, or empty.',
    },
  );
}

/**
 * A TCP port of the loopback interface that is free now, for a server that keeps it for long. Throws `port_in_use` where none is
 * found.
 */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < PORT_ATTEMPTS; attempt++) {
    const port = randomInt(QUIET_PORTS.first, QUIET_PORTS.last + 1);
    if ((await listenOnce(port, '127.0.0.1')) === undefined) return port;
  }
  throw new GamekeeperError('port_in_use', `No port from ${QUIET_PORTS.first} to ${QUIET_PORTS.last} is free.`);
}

/** The error code of the attempt; `undefined` when it worked. */
async function tryToListen(port: number, host: string | undefined): Promise<string | undefined> {
  const code = await listenOnce(port, host ?? ANY_ADDRESS);
  // A machine without IPv6 has no such address.
  const withoutIpv6 = host === undefined && (code === 'EAFNOSUPPORT' || code === 'EADDRNOTAVAIL');
  return withoutIpv6 ? listenOnce(port, ANY_IPV4_ADDRESS) : code;
}

async function listenOnce(port: number, host: string): Promise<string | undefined> {
  const server = createServer((socket) => socket.destroy());
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
  } catch (error) {
    return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error);
  }
  server.close();
  await once(server, 'close');
  return undefined;
}
