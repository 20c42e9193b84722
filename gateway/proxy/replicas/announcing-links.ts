import type { LiveLinks, Presence } from '../daemons/live-links.ts';
import type { LinkRegistry } from './link-registry.ts';
import type { Notices } from './notices.ts';

/** What reaches the other replicas. */
export interface OtherReplicas {
  notices: Pick<Notices, 'broadcast'>;
  registry: Pick<LinkRegistry, 'connected'>;
}

/** Reaches a daemon whichever replica holds its link. */
export function announcingLinks(
  links: LiveLinks & Presence,
  { notices, registry }: OtherReplicas,
): LiveLinks & Presence {
  return {
    disconnect(daemonId) {
      links.disconnect(daemonId);
      notices.broadcast({ type: 'daemon-removed', daemonId });
    },
    tell(daemonId, message) {
      links.tell(daemonId, message);
      notices.broadcast({ ...message, daemonId });
    },
    async connected(daemonIds) {
      const [here, there] = await Promise.all([links.connected(daemonIds), registry.connected(daemonIds)]);
      return new Set([...here, ...there]);
    },
  };
}
