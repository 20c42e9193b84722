import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import type { Server } from 'node:net';
import { requirePrivateFolder } from './socket-folder.ts';

/**
 * Listens on a local socket (mode 0600) or named pipe, which only this user can open. Replaces a stale socket file. Throws like
 * `requirePrivateFolder`.
 */
export async function listenPrivately(server: Server, socketPath: string): Promise<void> {
  await requirePrivateFolder(socketPath);
  if (process.platform !== 'win32') await rm(socketPath, { force: true });
  // Between bind and chmod others could connect.
  const mask = process.umask(0o177);
  try {
    server.listen(socketPath);
    await once(server, 'listening');
  } finally {
    process.umask(mask);
  }
  if (process.platform !== 'win32') await chmod(socketPath, 0o600);
}
