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
  /** Forgets everything cached about users, and has open connections checked again. */
  usersChanged(): void;
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
  const tell = (affects: (identity: Identity) => boolean) => {
    changes++;
    for (const listener of listeners) listener(affects);
  };
  store.onChange((event) => tell(forget(event)));

  function forget(event: CredentialEvent | undefined): (identity: Identity) => boolean {
    if (event?.type === 'token-revoked') {
      credentials.tokens.forget(event.id);
      return holdersOf(tokenCredential(event.id));
    }
    if (event?.type === 'session-ended') {
      credentials.sessions.forget(event.tokenHash);
      return holdersOf(sessionCredential(event.tokenHash));
    }
    if (event?.type === 'pairing-changed') {
      credentials.oauth.forget();
      return ({ kind }) => kind === 'oauth';
    }
    credentials.sessions.forget();
    credentials.tokens.forget();
    if (event !== undefined) return ({ username }) => username.toLowerCase() === event.username.toLowerCase();
    credentials.oauth.forget();
    return () => true;
  }

  return {
    ...credentials,
    get changes() {
      return changes;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    usersChanged() {
      credentials.sessions.forget();
      credentials.tokens.forget();
      tell(() => true);
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

function holdersOf(credential: string): (identity: Identity) => boolean {
  return (identity) => identity.credential === credential;
}
