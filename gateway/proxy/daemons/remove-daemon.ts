import type { Daemons } from './directory.ts';
import type { LiveLinks } from './live-links.ts';

/** Removes a daemon of an account and closes its link. Resolves to false if the account has no such daemon. */
export type RemoveDaemon = (daemonId: string, accountId: string) => Promise<boolean>;

export function createRemoveDaemon({ daemons, links }: { daemons: Daemons; links: LiveLinks }): RemoveDaemon {
  return async (daemonId, accountId) => {
    const removed = await daemons.remove(daemonId, accountId);
    if (removed) links.disconnect(daemonId);
    return removed;
  };
}
