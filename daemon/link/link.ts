import type { DaemonLink, LinkTarget } from '../../shared/contract/daemon/link.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../shared/node/logger.ts';
import type { LinkedProxy } from '../../shared/schema/link.ts';
import type { Pairing } from '../../shared/schema/pairing.ts';
import type { Store } from '../store/store.ts';
import type { Credentials } from '../users/credentials.ts';
import { completeLink } from './complete-link.ts';
import { signDaemonToken } from './daemon-token.ts';
import { GrantWatch } from './grant-watch.ts';
import { LinkRequests } from './link-requests.ts';
import { askForPing } from './outside-ping.ts';
import { unregister } from './registration.ts';
import { giveUpTunnel, permitTunnel, type TunnelAsker } from './tunnel-permits.ts';

export interface LinkOptions {
  store: Store;
  /** Stores the pairing and publishes its changes. */
  credentials: Pick<
    Credentials,
    'pairing' | 'setPairing' | 'changePairing' | 'removePairing' | 'endGrants' | 'watchCredentials'
  >;
  log: Logger;
  /** ISO time. */
  now: () => string;
}

/** The link, with what only the daemon itself uses. */
export interface OwnLink extends DaemonLink {
  /** Tells the paired proxy, if it answers, that a server needs no address any more. Never rejects. */
  giveUpTunnel(id: string): Promise<void>;
  close(): Promise<void>;
}

/** Links this daemon to a hosted proxy (docs/remote-access.md). `close` cancels a waiting request. */
export function createLink({ store, credentials, log, now }: LinkOptions): OwnLink {
  const { daemonId } = store.meta;
  function tokenFor(issuer: string): Promise<string> {
    return signDaemonToken(store.pairing.privateKey(), { daemonId, audience: issuer, now: Date.parse(now()) });
  }

  function tunnelAsker(): TunnelAsker {
    const pairing = credentials.pairing();
    if (!pairing) throw notLinked();
    return { issuer: pairing.issuer, daemonId, privateKey: store.pairing.privateKey(), now: Date.parse(now()) };
  }

  const grants = new GrantWatch({ store, credentials, tokenFor, log });
  const requests = new LinkRequests({
    log,
    now,
    onApproved: (approval, signal) => completeLink(approval, signal, { store, credentials, tokenFor, now }),
  });

  function target(): LinkTarget | null {
    const pairing = credentials.pairing();
    return (
      pairing && {
        issuer: pairing.issuer,
        daemonId,
        name: pairing.name,
        ceiling: pairing.ceiling,
        telemetry: pairing.telemetry ?? false,
      }
    );
  }

  function shown({ issuer, audience, name, account, ceiling, telemetry = false, pairedAt }: Pairing): LinkedProxy {
    const about = { issuer, daemonId, resource: audience, name, scopes: ceiling, telemetry, linkedAt: pairedAt };
    return { ...about, ...(account !== undefined && { account }) };
  }

  return {
    async *watchLink(signal) {
      const events = credentials.watchCredentials(signal);
      yield target();
      for await (const { type } of events) if (type === 'pairing-changed') yield target();
    },
    async linkToken() {
      const pairing = credentials.pairing();
      if (!pairing) throw notLinked();
      return tokenFor(pairing.issuer);
    },
    permitTunnel: async (wish) => permitTunnel(wish, tunnelAsker()),
    async pingFromOutside(question) {
      const pairing = credentials.pairing();
      if (!pairing) throw notLinked();
      const { issuer } = pairing;
      return askForPing(question, { issuer, daemonId, token: await tokenFor(issuer) });
    },
    async giveUpTunnel(id) {
      if (credentials.pairing())
        await giveUpTunnel(id, tunnelAsker()).catch((error: unknown) =>
          log.warn({ err: error, instance: id }, 'the proxy could not be told that a tunnel is no longer needed'),
        );
    },
    linkState() {
      const pairing = credentials.pairing();
      return { proxy: pairing && shown(pairing), request: requests.waiting, lastRequest: requests.last };
    },
    requestLink: ({ link: asked, by }) => requests.begin(asked, by),
    async cancelLinkRequest() {
      if (!(await requests.cancel()))
        throw new GamekeeperError('not_linked', 'No request to link this daemon is waiting.');
    },
    changeLink: ({ scopes, name, telemetry }) => shown(credentials.changePairing({ ceiling: scopes, name, telemetry })),
    async unlink() {
      const wasWaiting = await requests.cancel();
      const pairing = credentials.pairing();
      if (!pairing && !wasWaiting) throw notLinked();
      if (!pairing) return { proxyTold: true };
      const token = await tokenFor(pairing.issuer);
      credentials.removePairing();
      return { proxyTold: await unregister(pairing.issuer, daemonId, token) };
    },
    useGrant: (grantId) => grants.use(grantId),
    isGoodGrant: (grantId) => grants.isGood(grantId),
    endGrant: (grantId) => grants.end([grantId]),
    askAboutGrants: (grantIds) => grants.ask(grantIds),
    async close() {
      grants.close();
      await requests.cancel();
    },
  };
}

function notLinked(): GamekeeperError {
  return new GamekeeperError('not_linked', 'This daemon is not linked to a hosted proxy.');
}
