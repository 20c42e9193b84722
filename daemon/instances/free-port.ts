import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { hasErrorCode } from '../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';

/** Linux gives the ports above this one to outgoing connections. */
const LAST_PORT = 32_767;

export interface PortSearch {
  taken: ReadonlySet<number>;
  canBind: (port: number) => Promise<boolean>;
  /** How many ports in a row are needed. */
  count?: number;
}

/** Returns the first port from `from` on that is not in `taken` and can be bound. Throws `port_in_use` if there is none. */
export async function firstFreePort(from: number, { taken, canBind, count = 1 }: PortSearch): Promise<number> {
  for (let port = from; port + count - 1 <= LAST_PORT; port++) {
    const row = Array.from({ length: count }, (_, index) => port + index);
    if (!row.some((one) => taken.has(one)) && (await everyOne(row, canBind))) return port;
  }
  throw new GamekeeperError('port_in_use', `No port from ${from} to ${LAST_PORT} is free.`);
}

/** Returns whether a game server could listen on this port of all addresses now. */
export async function canBind(port: number, transport: 'tcp' | 'udp'): Promise<boolean> {
  if (transport === 'udp') return (await bindOnce(port, 'udp6')) ?? (await bindOnce(port, 'udp4')) ?? false;
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Resolves to `undefined` if the machine lacks that address family. A socket for all IPv6 addresses covers IPv4 as well. */
function bindOnce(port: number, type: 'udp4' | 'udp6'): Promise<boolean | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket(type);
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.close();
      resolve(hasErrorCode(error, 'EAFNOSUPPORT', 'EADDRNOTAVAIL') ? undefined : false);
    });
    socket.bind({ port, exclusive: true }, () => socket.close(() => resolve(true)));
  });
}

async function everyOne(ports: readonly number[], canBind: PortSearch['canBind']): Promise<boolean> {
  for (const port of ports) if (!(await canBind(port))) return false;
  return true;
}
