import type { Daemon } from '../compose.ts';
import { type FirstAdmin, firstAdmin } from './first-run.ts';

/**
 * Starts the gateway and reattaches to living supervisors. Resolves when both are done, to the first administrator if there was no user
 * yet. Rejects if the gateway cannot listen.
 */
export async function startDaemon(daemon: Daemon): Promise<FirstAdmin | undefined> {
  const { store, supervisors, recovery, lost, gateway, sftp } = daemon;
  // Before anyone can ask for a supervisor of theirs, which has to know when to restart its server.
  for (const id of lost) void recovery.recover(id);
  // It takes the longest to get ready, so the other work happens meanwhile.
  const gatewayReady = gateway.start();
  gatewayReady.catch(() => undefined); // rejects again below
  const now = new Date().toISOString();
  store.sessions.removeExpired(now);
  store.tokens.removeExpired(now);
  const [admin] = await Promise.all([firstAdmin(store.users, process.env), supervisors.reattachAll()]);
  // If the gateway dies right after this, its successor listens on the same ports.
  await gatewayReady;
  // Nobody can sign in without the gateway.
  void sftp.start();
  admin?.save();
  return admin;
}
