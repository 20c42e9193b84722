import type { ChangeLink, CreateLink, Link, LinkRequest, LinkStatus, Unlinked } from '../../shared/schema/link.ts';
import { type Identity, verifiedOrLocal } from '../auth/identity.ts';
import type { CredentialStore, LinkState } from '../upstream/credential-store.ts';

export interface LinkService {
  read(): Promise<Link>;
  /** Resolves once the proxy has given a code. Throws `already_in_progress`, `proxy_unavailable` or `proxy_refused`. */
  request(link: CreateLink, by: Identity): Promise<LinkRequest>;
  /** Throws `not_linked` if no request is waiting. */
  cancel(): Promise<void>;
  /** Throws `not_linked`. The change applies to open connections as well. */
  change(change: ChangeLink): Promise<Link>;
  /** Throws `not_linked`. */
  remove(): Promise<Unlinked>;
}

export interface LinkServiceOptions {
  store: CredentialStore;
  /** The connection to the proxy; `undefined` if this gateway makes none. */
  linkStatus: () => LinkStatus | undefined;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** The link of this daemon to a hosted proxy. */
export function createLinkService({ store, linkStatus, now }: LinkServiceOptions): LinkService {
  const startedAt = new Date(now()).toISOString();

  async function read(): Promise<Link> {
    const state = await store.linkState();
    return { ...state, status: statusOf(state) };
  }

  /** The connection follows the pairing a moment later. */
  function statusOf({ proxy }: LinkState): LinkStatus {
    if (!proxy) return { state: 'off', since: startedAt };
    const status = linkStatus();
    return status && status.state !== 'off' ? status : { state: 'connecting', since: proxy.linkedAt };
  }

  return {
    read,
    request: (link, by) => store.requestLink({ link, by: verifiedOrLocal(by) }),
    cancel: () => store.cancelLinkRequest(),
    async change(change) {
      await store.changeLink(change);
      return read();
    },
    remove: () => store.unlink(),
  };
}
