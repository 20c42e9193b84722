import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { removeUnfinishedWrites } from '../../shared/node/files/atomic-file.ts';
import type { Home } from '../../shared/node/files/home.ts';
import { forgetOriginal } from '../home/copied-home.ts';
import { prepareHome, prepareSockets, removeShortSockets } from '../home/home-directories.ts';
import { lockHome } from '../home/home-lock.ts';
import { endFormerChildren } from '../processes/former-children.ts';

/**
 * Locks the data directory for this daemon, and ends leftover processes of the previous one. Throws StartupError if the data directory
 * cannot be used or another daemon uses it.
 */
export async function takeHome(home: Home, cleanup: AsyncDisposableStack): Promise<void> {
  await prepareHome(home);
  cleanup.defer(await lockHome(home.daemonLock, () => forgetOriginal(home)));
  await removeHalfWritten(home);
  cleanup.defer(() => removeShortSockets(home));
  await prepareSockets(home);
  await endFormerChildren(home);
  cleanup.defer(() => endFormerChildren(home));
}

/** Removes what another daemon was writing when it was killed. */
async function removeHalfWritten({ settings, daemonRecord }: Home): Promise<void> {
  for (const file of [await realpath(settings).catch(() => settings), daemonRecord])
    await removeUnfinishedWrites(path.dirname(file), [path.basename(file)]);
}
