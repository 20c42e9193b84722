import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Binds a server and returns its port, which differs from `port` if that is 0. Throws the socket's error (`EADDRINUSE`, `EACCES`, ...). */
export async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<number> {
  server.listen({ port, ...(host !== '' && { host }) });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
