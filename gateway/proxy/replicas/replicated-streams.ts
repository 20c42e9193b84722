import { setTimeout as delay } from 'node:timers/promises';
import type { DaemonDirectory } from '../daemons/directory.ts';
import type { Links } from '../links/links.ts';
import type { DaemonStreams } from '../relay/daemon-streams.ts';
import { OfflineError } from '../relay/offline-error.ts';
import type { Holders } from './holders.ts';
import { peerUnavailable } from './peer-session.ts';
import type { Peers } from './peers.ts';

/**
 * A daemon that moves closes its old link to new requests before the database knows the new one: it is looked for again. Milliseconds before each
 * look.
 */
const LOOKS_AFTER_MS = [0, 0, 100, 300, 600, 1_000];

export interface ReplicatedStreamsOptions {
  links: Pick<Links, 'find' | 'isMoving'>;
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
      let notReached: string | undefined;
      for (const wait of LOOKS_AFTER_MS) {
        if (wait > 0) await delay(wait);
        // Once the daemon takes no more requests here, it has another link elsewhere.
        if (links.find(daemonId)?.isOpen) return local.open(request, onOpen);
        const holder = await holders.find(daemonId);
        if (!holder && links.isMoving(daemonId)) continue;
        if (!holder) break;
        if (holder.replicaId === notReached) throw peerUnavailable();
        const answer = await peers.open(holder, request, onOpen);
        if (answer === 'opened') return undefined;
        // One that has ended was left by its daemons, which may be known by now.
        if (answer === 'not reached') notReached = holder.replicaId;
        holders.doubt(daemonId);
      }
      throw new OfflineError(await directory.find(daemonId));
    },
  };
}
