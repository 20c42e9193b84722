import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import type { Transport } from '../../shared/domain/software/definition.ts';
import { hasErrorCode } from '../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';

/** Linux gives the ports above this one to outgoing connections. */
export const LAST_PORT = 32_767;

export interface RowPort {
  offset: number;
  transport: Transport;
}

export interface PortSearch {
  taken: ReadonlySet<number>;
  canBind: (port: number, transport: Transport) => Promise<boolean>;
  /** The ports that are needed together, by their distance to the one that is returned. */
  row: readonly RowPort[];
}

/** Returns the first port from `from` on that is not in `taken` and can be bound. Throws `port_in_use` if there is none. */
export async function firstFreePort(from: number, { taken, canBind, row }: PortSearch): Promise<number> {
  const highest = Math.max(...row.map(({ offset }) => offset));
  const lowest = Math.min(...row.map(({ offset }) => offset));
  for (let port = Math.max(from, 1 - lowest); port + highest <= LAST_PORT; port++) {
    if (row.some(({ offset }) => taken.has(port + offset))) continue;
    if (await everyOne(row, ({ offset, transport }) => canBind(port + offset, transport))) return port;
  }
  throw new GamekeeperError('port_in_use', `No port from ${from} to ${LAST_PORT} is free.`);
}

/** Returns whether a game server could listen on this port of all addresses now. */
export async function canBind(port: number, transport: Transport): Promise<boolean> {
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

async function everyOne(row: readonly RowPort[], isFree: (port: RowPort) => Promise<boolean>): Promise<boolean> {
  for (const port of row) if (!(await isFree(port))) return false;
  return true;
}
