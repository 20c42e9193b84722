import type { CredentialEvent, CredentialStore } from '../../upstream/credential-store.ts';
import { type Identity, sessionCredential, tokenCredential } from '../identity.ts';
import { createOAuthTokens, type OAuthTokens } from '../oauth/oauth-tokens.ts';
import { type BearerTokens, createBearerTokens } from './bearer-tokens.ts';
import { type ConsoleTickets, createConsoleTickets } from './console-tickets.ts';
import { createSessions, type Sessions } from './sessions.ts';

export interface Credentials {
  sessions: Sessions;
  tokens: BearerTokens;
  oauth: OAuthTokens;
  tickets: ConsoleTickets;
  /**
   * Calls `listener` when credentials may have changed, with a predicate for the affected identities. Returns a function that unsubscribes.
   */
  onChange(listener: (affects: (identity: Identity) => boolean) => void): () => void;
  /** Grows with every change that may concern an identity. */
  readonly changes: number;
  /** Drops the grants on an instance that is gone from what is cached, and has open connections checked again. */
  instanceRemoved(id: string): void;
  /** Refuses every token of an OAuth grant from now on, and closes what they opened. */
  revokeGrant(grantId: string): void;
  /** Returns the identity with its present rights; `undefined` once its credential is gone. */
  current(identity: Identity, now: number): Promise<Identity | undefined>;
}

export function createCredentials(store: CredentialStore, onError: (error: unknown) => void): Credentials {
  const listeners = new Set<(affects: (identity: Identity) => boolean) => void>();
  const credentials = {
    sessions: createSessions(store, onError),
    tokens: createBearerTokens(store),
    oauth: createOAuthTokens(store, onError),
    tickets: createConsoleTickets(),
  };

  let changes = 0;
  /** Only the affected ones are forgotten: asking again costs a call to the daemon for each. */
  function changed(affects: (identity: Identity) => boolean): void {
    credentials.sessions.forget(affects);
    credentials.tokens.forget(affects);
    changes++;
    for (const listener of listeners) listener(affects);
  }

  store.onChange((event) => {
    if (event === undefined || event.type === 'pairing-changed') credentials.oauth.forget();
    if (event?.type === 'grants-ended') event.grantIds.forEach(credentials.oauth.revokeGrant);
    changed(affectedBy(event));
  });

  return {
    ...credentials,
    get changes() {
      return changes;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    instanceRemoved: (id) => changed(({ instances }) => instances.named.has(id)),
    revokeGrant(grantId) {
      credentials.oauth.revokeGrant(grantId);
      changed(({ oauth }) => oauth?.grantId === grantId);
    },
    async current(identity, now) {
      const id = identity.credential.slice(identity.credential.indexOf(':') + 1);
      if (identity.kind === 'session') return credentials.sessions.current(id, now);
      if (identity.kind === 'token') return credentials.tokens.current(id);
      if (identity.kind === 'oauth') return credentials.oauth.current(identity, now);
      return identity;
    },
  };
}

/** `undefined`: changes may have been missed. */
function affectedBy(event: CredentialEvent | undefined): (identity: Identity) => boolean {
  switch (event?.type) {
    case undefined:
      return () => true;
    case 'token-revoked':
      return holdersOf(tokenCredential(event.id));
    case 'session-ended':
      return holdersOf(sessionCredential(event.tokenHash));
    case 'pairing-changed':
      return ({ kind }) => kind === 'oauth';
    case 'grants-ended':
      return ({ oauth }) => oauth?.grantId !== undefined && event.grantIds.includes(oauth.grantId);
    case 'user-changed':
      return ({ username }) => username.toLowerCase() === event.username.toLowerCase();
  }
}

function holdersOf(credential: string): (identity: Identity) => boolean {
  return (identity) => identity.credential === credential;
}
