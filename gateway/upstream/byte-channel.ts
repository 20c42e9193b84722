import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { homeAt } from '../../shared/node/files/home.ts';
import { requirePrivateFolder } from '../../shared/node/ipc/socket-folder.ts';
import type { Daemon } from './clients.ts';

/** A local socket for one sender, so that bulk data does not delay the calls on the shared connection. */
export interface ByteChannel {
  readonly path: string;
  /** Resolves when the sender has connected. Nothing is read before the consumer reads. */
  readonly connected: Promise<Socket>;
  /** Accepts no more senders. One that is connected continues. */
  close(): void;
}

export async function openByteChannel(daemon: Daemon): Promise<ByteChannel> {
  const { home } = await daemon.call.info();
  const path = homeAt(home).exportSocket(randomBytes(4).toString('hex'));
  await requirePrivateFolder(path);
  const server = createServer({ pauseOnConnect: true });
  server.maxConnections = 1;
  server.listen(path);
  await once(server, 'listening');
  return {
    path,
    connected: once(server, 'connection').then(([socket]) => socket as Socket),
    close: () => void server.close(),
  };
}
