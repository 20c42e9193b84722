import { chmod, rm } from 'node:fs/promises';
import { requirePrivateFolder } from '../../shared/node/ipc/socket-folder.ts';
import { buildApp } from '../app.ts';
import type { Gateway } from '../gateway.ts';
import { FAMILIES } from './listener-plan.ts';

/** Serves everything on a local socket that only this user can open. Resolves to a function that closes it. */
export async function servePrivately(gateway: Gateway, socketPath: string): Promise<() => Promise<void>> {
  await requirePrivateFolder(socketPath);
  const app = await buildApp({ gateway, families: FAMILIES, local: true, loopback: true });
  await app.ready();
  if (process.platform !== 'win32') await rm(socketPath, { force: true });
  // Between bind and chmod others could connect.
  const mask = process.umask(0o177);
  try {
    await app.listen({ path: socketPath });
  } catch (error) {
    await app.close();
    throw error;
  } finally {
    process.umask(mask);
  }
  if (process.platform !== 'win32') await chmod(socketPath, 0o600);
  return async () => void (await app.close());
}
