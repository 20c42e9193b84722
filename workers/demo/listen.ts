import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/**
 * Binds a server and answers the port that it got, which differs from the one asked for where that was 0.
 *
 * @throws the socket's error (`EADDRINUSE`, `EACCES`, ...) where the address cannot be had
 */
export async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<number> {
  server.listen({ port, ...(host !== '' && { host }) });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
