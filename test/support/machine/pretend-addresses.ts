import type { Server, Socket } from 'node:net';

/**
 * Has a server see connections from 127.0.0.N as if they came from 192.0.2.N: a test can use all of 127.0.0.0/8, but limits by address count
 * it as one. Call it before anything else listens for connections.
 */
export function pretendAddresses(server: Server): void {
  for (const event of ['connection', 'secureConnection'])
    server.prependListener(event, (socket: Socket) => {
      const value = socket.remoteAddress?.replace(/^(?:::ffff:)?127\.0\.0\./, '192.0.2.');
      Object.defineProperty(socket, 'remoteAddress', { value });
    });
}
