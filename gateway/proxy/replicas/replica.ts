import { randomUUID } from 'node:crypto';
import type { Logger } from '../../../shared/node/logger.ts';
import { StartupError } from '../../../shared/node/processes/startup-error.ts';
import type { DaemonDirectory } from '../daemons/directory.ts';
import type { Links } from '../links/links.ts';
import { createLocalStreams, type DaemonStreams } from '../relay/daemon-streams.ts';
import type { Store } from '../store/open-store.ts';
import { createHolders } from './holders.ts';
import { createLinkRegistry, type LinkRegistry } from './link-registry.ts';
import { createMembership } from './membership.ts';
import { createNotices, type Notice, type Notices } from './notices.ts';
import { type PeerAddress, peerUrl } from './peer-address.ts';
import { type PeerServer, startPeerServer } from './peer-server.ts';
import { createPeerTokens } from './peer-token.ts';
import { createPeers } from './peers.ts';
import { createReplicatedStreams } from './replicated-streams.ts';

export interface ReplicaOptions extends Store {
  log: Logger;
  /** Milliseconds. */
  now: () => number;
}

export interface JoinOptions {
  address: PeerAddress;
  links: Links;
  directory: Pick<DaemonDirectory, 'find'>;
}

/** This process as one of several on the same PostgreSQL database (docs/decisions/0015). */
export interface Replica {
  readonly registry: LinkRegistry;
  readonly notices: Notices;
  /** False once the database was out of reach for too long. */
  readonly isRenewed: boolean;
  /** Resolves to whether another replica lives. */
  hasOthers(): Promise<boolean>;
  /** Joins the others. Resolves to how requests reach daemons on any of them. Throws StartupError if it cannot listen for the others. */
  join(options: JoinOptions): Promise<DaemonStreams>;
  leave(): Promise<void>;
}

export function createReplica({ database, vault, log, now }: ReplicaOptions): Replica {
  const id = randomUUID();
  const membership = createMembership({ database, id, log });
  const registry = createLinkRegistry({ database, id, log });
  const notices = createNotices({ database, id, log });
  const tokens = createPeerTokens({ key: vault.peerKey, id, now });
  const peers = createPeers(tokens);
  const stack = new AsyncDisposableStack();
  return {
    registry,
    notices,
    get isRenewed() {
      return membership.isRenewed;
    },
    hasOthers: () => membership.hasOthers(),
    async join({ address, links, directory }) {
      registry.onUnregistered((link) => links.restart(link));
      const server = await listen({ ...address, links, tokens });
      stack.defer(() => server.close());
      const url = peerUrl(address, server.port);
      await membership.join(url, () => {
        log.warn('the other replicas had taken this one for dead: all links are opened again');
        for (const link of links.all()) links.restart(link);
      });
      log.info({ url }, 'joined the other replicas');
      stack.defer(() => membership.leave());
      stack.defer(() => registry.close());
      stack.defer(notices.follow((notice) => act(links, notice)));
      stack.defer(() => peers.close());
      const local = createLocalStreams({ links, directory });
      return createReplicatedStreams({ links, local, holders: createHolders(registry), peers, directory });
    },
    leave: () => stack.disposeAsync(),
  };
}

function act(links: Links, notice: Notice): void {
  const { daemonId } = notice;
  if (notice.type === 'daemon-removed') links.disconnect(daemonId);
  else if (notice.type === 'grant-revoked') links.tell(daemonId, { type: 'grant-revoked', grantId: notice.grantId });
  else links.replaced({ daemonId, linkId: notice.linkId });
}

async function listen(options: Parameters<typeof startPeerServer>[0]): Promise<PeerServer> {
  try {
    return await startPeerServer(options);
  } catch (cause) {
    const { host, port } = options;
    throw new StartupError(
      `Cannot listen for other replicas on ${host}, port ${port}: ${(cause as Error).message}.\nSet GAMEKEEPER_PROXY_PEER_HOST or GAMEKEEPER_PROXY_PEER_PORT.`,
      { cause },
    );
  }
}
