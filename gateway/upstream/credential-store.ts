import type {
  CredentialEvent,
  SessionRecord,
  SessionRights,
  TokenRecord,
} from '../../shared/contract/daemon/credentials.ts';
import type { NewUser, UserChange, UserRecord } from '../../shared/contract/daemon/users.ts';
import type { DaemonInfo } from '../../shared/contract/daemon.ts';
import type { Pairing } from '../../shared/schema/pairing.ts';
import type { Daemon } from './clients.ts';
import { follow } from './follow.ts';

export type { CredentialEvent, NewUser, Pairing, SessionRecord, TokenRecord, UserChange, UserRecord };

export type LiveSession = SessionRecord & SessionRights;

/** The credentials, which the daemon stores. A change resolves after all change listeners have run. */
export interface CredentialStore {
  /** Returns the id of this installation and the key of its tokens. Asks the daemon once. */
  issuer(): Promise<{ id: DaemonInfo['daemonId']; key: Uint8Array }>;
  user(username: string): Promise<UserRecord | null>;
  users(): Promise<UserRecord[]>;
  addUser(user: NewUser): Promise<void>;
  updateUser(username: string, change: UserChange): Promise<void>;
  removeUser(username: string): Promise<void>;
  endSessionsOf(request: { username: string; exceptTokenHash?: string | undefined }): Promise<void>;
  /** Creates a secret for an authenticator app, which takes effect once it is confirmed. */
  beginTotp(username: string): Promise<{ secret: string; uri: string }>;
  confirmTotp(request: { username: string; code: string }): Promise<string[] | null>;
  /** Uses up a one-time code or a recovery code. Returns false if it is wrong or used up. */
  useSecondFactor(request: { username: string; code: string }): Promise<boolean>;
  removeTotp(username: string): Promise<void>;
  renewRecoveryCodes(username: string): Promise<string[]>;
  removeRecoveryCodes(username: string): Promise<void>;
  setPassword(change: { username: string; passwordHash: string; mustChangePassword: boolean }): Promise<void>;
  session(tokenHash: string): Promise<LiveSession | null>;
  addSession(record: SessionRecord): Promise<void>;
  extendSession(change: { tokenHash: string; expiresAt: string }): Promise<void>;
  endSession(tokenHash: string): Promise<void>;
  /** Returns a token unless it is revoked or expired. */
  token(id: string): Promise<TokenRecord | null>;
  tokens(): Promise<TokenRecord[]>;
  addToken(record: TokenRecord): Promise<void>;
  revokeToken(id: string): Promise<void>;
  pairing(): Promise<Pairing | null>;
  /** Calls `listener` for each change, and with `undefined` if changes may have been missed. Returns a function that unsubscribes. */
  onChange(listener: (event: CredentialEvent | undefined) => void): () => void;
  close(): void;
}

export function createCredentialStore(daemon: Daemon, onLost: (error: unknown) => void): CredentialStore {
  const listeners = new Set<(event: CredentialEvent | undefined) => void>();
  let issuer: Promise<{ id: string; key: Uint8Array }> | undefined;
  const notify = (event: CredentialEvent | undefined) => {
    for (const listener of listeners) listener(event);
  };
  const stop = follow({
    subscribe: (signal) => {
      notify(undefined);
      return daemon.call.watchCredentials(undefined, { signal });
    },
    onItem: notify,
    onLost(error) {
      onLost(error);
      notify(undefined);
    },
  });

  /** The daemon's event may arrive after its answer, but the change must be in effect here before the caller is answered. */
  async function applied(change: Promise<void>, event: CredentialEvent): Promise<void> {
    await change;
    notify(event);
  }

  async function readIssuer(): Promise<{ id: string; key: Uint8Array }> {
    try {
      const [info, { key }] = await Promise.all([daemon.call.info(), daemon.call.tokenKey()]);
      return { id: info.daemonId, key: Buffer.from(key, 'base64url') };
    } catch (error) {
      issuer = undefined;
      throw error;
    }
  }

  return {
    issuer: () => {
      issuer ??= readIssuer();
      return issuer;
    },
    user: (username) => daemon.call.user(username),
    users: () => daemon.call.users(),
    addUser: (user) => daemon.call.addUser(user),
    updateUser: (username, change) =>
      applied(daemon.call.updateUser({ username, change }), { type: 'user-changed', username }),
    removeUser: (username) => applied(daemon.call.removeUser(username), { type: 'user-changed', username }),
    endSessionsOf: (request) =>
      applied(daemon.call.endSessionsOf(request), { type: 'user-changed', username: request.username }),
    beginTotp: (username) => daemon.call.beginTotp(username),
    confirmTotp: (request) => daemon.call.confirmTotp(request),
    useSecondFactor: (request) => daemon.call.useSecondFactor(request),
    removeTotp: (username) => daemon.call.removeTotp(username),
    renewRecoveryCodes: (username) => daemon.call.renewRecoveryCodes(username),
    removeRecoveryCodes: (username) => daemon.call.removeRecoveryCodes(username),
    setPassword: (change) =>
      applied(daemon.call.setPassword(change), { type: 'user-changed', username: change.username }),
    session: (tokenHash) => daemon.call.session(tokenHash),
    addSession: (record) => daemon.call.addSession(record),
    extendSession: (change) => daemon.call.extendSession(change),
    endSession: (tokenHash) => applied(daemon.call.endSession(tokenHash), { type: 'session-ended', tokenHash }),
    token: (id) => daemon.call.token(id),
    tokens: () => daemon.call.tokens(),
    addToken: (record) => daemon.call.addToken(record),
    pairing: () => daemon.call.pairing(),
    revokeToken: (id) => applied(daemon.call.revokeToken(id), { type: 'token-revoked', id }),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: stop,
  };
}
