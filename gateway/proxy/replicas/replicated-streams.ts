import type { DaemonDirectory } from '../daemons/directory.ts';
import type { Links } from '../links/links.ts';
import type { DaemonStreams } from '../relay/daemon-streams.ts';
import { OfflineError } from '../relay/offline-error.ts';
import type { Holders } from './holders.ts';
import type { Peers } from './peers.ts';

export interface ReplicatedStreamsOptions {
  links: Pick<Links, 'find'>;
  /** For daemons that are connected here. */
  local: DaemonStreams;
  holders: Holders;
  peers: Peers;
  directory: Pick<DaemonDirectory, 'find'>;
}

/** Sends requests to daemons over the links of this process, or through the replica that holds the link. */
export function createReplicatedStreams(options: ReplicatedStreamsOptions): DaemonStreams {
  const { links, local, holders, peers, directory } = options;
  return {
    async open(request, onOpen) {
      const { daemonId } = request;
      // Once the daemon takes no more requests here, it has another link elsewhere.
      if (links.find(daemonId)?.isOpen) return local.open(request, onOpen);
      // The daemon may have moved since the last answer: asked again once.
      for (let attempt = 0; attempt < 2; attempt++) {
        const holder = await holders.find(daemonId);
        if (!holder) break;
        if ((await peers.open(holder, request, onOpen)) === 'opened') return undefined;
        holders.forget(daemonId);
      }
      // It may have come here meanwhile.
      if (links.find(daemonId)) return local.open(request, onOpen);
      throw new OfflineError(await directory.find(daemonId));
    },
  };
}
