import type { Home } from '../../shared/node/files/home.ts';
import { prepareHome, prepareSockets, removeShortSockets } from '../home/home-directories.ts';
import { lockHome } from '../home/home-lock.ts';
import { endFormerChildren } from '../processes/former-children.ts';

/**
 * Makes the data directory this daemon's own, and ends what is left of the daemon before. Throws StartupError if the data directory cannot
 * be used or another daemon has it.
 */
export async function takeHome(home: Home, cleanup: AsyncDisposableStack): Promise<void> {
  await prepareHome(home);
  cleanup.defer(await lockHome(home.daemonLock));
  cleanup.defer(() => removeShortSockets(home));
  await prepareSockets(home);
  await endFormerChildren(home);
  cleanup.defer(() => endFormerChildren(home));
}
