import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { homeAt } from '../../shared/node/files/home.ts';
import type { Daemon } from './clients.ts';

/** A local socket for one sender: bytes that would only be in the way on the connection that calls go over. */
export interface ByteChannel {
  /** Where the sender connects. */
  readonly path: string;
  /** Resolves when the sender has connected. It is read at the reader's pace, and the sender waits. */
  readonly connected: Promise<Socket>;
  /** Takes no sender any more. One that has connected goes on. */
  close(): void;
}

/** Opens one in the data directory's private folder. */
export async function openByteChannel(daemon: Daemon): Promise<ByteChannel> {
  const { home } = await daemon.call.info();
  const path = homeAt(home).exportSocket(randomBytes(4).toString('hex'));
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
