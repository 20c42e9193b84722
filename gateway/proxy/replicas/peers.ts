import type { ClientHttp2Stream } from 'node:http2';
import type { StreamRequest } from '../relay/daemon-streams.ts';
import type { Holder } from './link-registry.ts';
import { connectPeer, type PeerAnswer, type PeerSession } from './peer-session.ts';
import type { PeerTokens } from './peer-token.ts';

/** Connections to the other replicas: one to each, made when it is first needed. */
export interface Peers {
  /** Like `PeerSession.open`. */
  open(holder: Holder, request: StreamRequest, onOpen: (stream: ClientHttp2Stream) => void): Promise<PeerAnswer>;
  close(): void;
}

export function createPeers(tokens: PeerTokens): Peers {
  const sessions = new Map<string, Promise<PeerSession | undefined>>();
  let isClosed = false;

  /** Resolves to `undefined` if the replica cannot be reached. */
  async function sessionTo({ replicaId, url }: Holder): Promise<PeerSession | undefined> {
    const known = sessions.get(replicaId);
    if (known) {
      const session = await known;
      if (!session || session.isOpen) return session;
    }
    // Others may have waited here too.
    if (sessions.get(replicaId) !== known) return sessionTo({ replicaId, url });
    const connecting = connectPeer(url);
    sessions.set(replicaId, connecting);
    const session = await connecting;
    if (!session && sessions.get(replicaId) === connecting) sessions.delete(replicaId);
    if (isClosed) session?.close();
    return session;
  }

  return {
    async open(holder, request, onOpen) {
      const [session, token] = await Promise.all([sessionTo(holder), tokens.tokenFor(holder.replicaId)]);
      return session ? session.open({ ...request, token }, onOpen) : 'not reached';
    },
    close() {
      isClosed = true;
      for (const session of sessions.values())
        session.then(
          (open) => open?.close(),
          () => undefined, // reported to those who wait for it
        );
    },
  };
}
