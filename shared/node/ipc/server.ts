import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { listenPrivately } from './listen-privately.ts';
import { type IpcServerOptions, ServedPeer } from './served-peer.ts';

export interface IpcServer {
  /** The number of open connections. */
  readonly connections: number;
  /** Closes the socket and every connection, and removes the socket file. */
  close(): Promise<void>;
}

/** Serves a tRPC router on a local socket (mode 0600) or named pipe. Replaces a stale socket file. */
export async function serveIpc<Service>(options: IpcServerOptions<Service>): Promise<IpcServer> {
  const sockets = new Set<Socket>();
  let lastPeer = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    new ServedPeer(++lastPeer, socket, options);
  });
  await listenPrivately(server, options.socketPath);
  return {
    get connections() {
      return sockets.size;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
