import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, isIPv6 } from 'node:net';
import { type PortUse, portName } from '../../../shared/domain/instance/port-use.ts';
import { errorCode } from '../../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { findPortHolder } from './port-holder.ts';

/** All addresses of the machine: a dual-stack socket there conflicts with listeners on any of them. */
const ANY_ADDRESS = '::';
const ANY_IPV4_ADDRESS = '0.0.0.0';

/**
 * Above the usual ports of Minecraft servers and below the ephemeral ports (from 32768 on Linux, from 49152 elsewhere), so that no outgoing
 * connection takes a port between its choice and the start.
 */
const QUIET_PORTS = { first: 26_000, last: 32_767 };
const PORT_ATTEMPTS = 100;

/**
 * Checks that the game can listen on a port, by listening for a moment. Throws `port_in_use`, naming the holder if it is known, or
 * `launch_failed` if the address or port is not available at all.
 */
export async function requireFreePort(use: PortUse): Promise<void> {
  const { purpose, transport, port, host } = use;
  const code = await tryToListen(port, { transport, host });
  if (code === undefined) return;
  const name = `${portName(use)} ${port}${transport === 'udp' ? ' (UDP)' : ''}`;
  if (code === 'EADDRINUSE') {
    const holder = await findPortHolder(port, transport);
    const by = holder ? ` by ${holder.name} (process ${holder.pid})` : ' by another program';
    throw new GamekeeperError('port_in_use', `The ${name} is in use${by}.`, {
      resolution: holder
        ? `Stop ${holder.name} (process ${holder.pid}), or give the server another port.`
        : 'Stop the other program, or give the server another port.',
    });
  }
  if (code === 'EACCES')
    throw new GamekeeperError('launch_failed', `This user is not allowed to open the ${name}.`, {
      resolution: 'Use a port above 1023.',
    });
  // Bedrock also runs without IPv6.
  if (purpose === 'game-ipv6') return;
  throw new GamekeeperError(
    'launch_failed',
    `The server cannot listen on ${host ?? 'this machine'}, port ${port} (${code}).`,
    {
      resolution: 'Correct server-ip in server.properties: it must be an address of this machine, or empty.',
    },
  );
}

/** Returns a port that is free now, for long use. Throws `port_in_use` if none is found. */
export async function findFreePort({ transport, host }: Omit<PortUse, 'port' | 'purpose'>): Promise<number> {
  for (let attempt = 0; attempt < PORT_ATTEMPTS; attempt++) {
    const port = randomInt(QUIET_PORTS.first, QUIET_PORTS.last + 1);
    if ((await tryToListen(port, { transport, host })) === undefined) return port;
  }
  throw new GamekeeperError('port_in_use', `No port from ${QUIET_PORTS.first} to ${QUIET_PORTS.last} is free.`);
}

interface Place {
  transport: PortUse['transport'];
  host: string | undefined;
}

/** Returns the error code of the attempt, or `undefined` if it worked. */
async function tryToListen(port: number, { transport, host }: Place): Promise<string | undefined> {
  const listen = transport === 'tcp' ? listenOnce : bindOnce;
  const code = await listen(port, host ?? ANY_ADDRESS);
  // The error on a machine without IPv6.
  const withoutIpv6 = host === undefined && (code === 'EAFNOSUPPORT' || code === 'EADDRNOTAVAIL');
  return withoutIpv6 ? listen(port, ANY_IPV4_ADDRESS) : code;
}

async function listenOnce(port: number, host: string): Promise<string | undefined> {
  const server = createServer((socket) => socket.destroy());
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
  } catch (error) {
    return errorCode(error) ?? String(error);
  }
  server.close();
  await once(server, 'close');
  return undefined;
}

async function bindOnce(port: number, address: string): Promise<string | undefined> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  try {
    socket.bind({ address, port, exclusive: true });
    await once(socket, 'listening');
    return undefined;
  } catch (error) {
    return errorCode(error) ?? String(error);
  } finally {
    socket.close();
  }
}
