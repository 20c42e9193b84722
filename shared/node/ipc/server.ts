import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { type IpcServerOptions, ServedPeer } from './served-peer.ts';
import { requirePrivateFolder } from './socket-folder.ts';

export interface IpcServer {
  /** The number of open connections. */
  readonly connections: number;
  /** Closes the socket and every connection, and removes the socket file. */
  close(): Promise<void>;
}

/** Serves a tRPC router on a local socket (mode 0600) or named pipe. Replaces a stale socket file. */
export async function serveIpc<Service>(options: IpcServerOptions<Service>): Promise<IpcServer> {
  await requirePrivateFolder(options.socketPath);
  const sockets = new Set<Socket>();
  let lastPeer = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    new ServedPeer(++lastPeer, socket, options);
  });
  if (process.platform !== 'win32') await rm(options.socketPath, { force: true });
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

/** Without the umask, others could connect between bind and chmod. */
async function listenPrivately(server: Server, socketPath: string): Promise<void> {
  const mask = process.umask(0o177);
  try {
    server.listen(socketPath);
    await once(server, 'listening');
  } finally {
    process.umask(mask);
  }
  if (process.platform !== 'win32') await chmod(socketPath, 0o600);
}
