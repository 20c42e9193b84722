import type { CredentialEvent, SessionRights, TokenRecord } from '../../shared/contract/daemon/credentials.ts';
import type { LinkState } from '../../shared/contract/daemon/link.ts';
import type { SessionRecord } from '../../shared/contract/daemon/sessions.ts';
import type { SshKeyRecord } from '../../shared/contract/daemon/ssh-keys.ts';
import type { NewUser, UserChange, UserRecord } from '../../shared/contract/daemon/users.ts';
import type { VerifiedUser } from '../../shared/contract/daemon/verified-user.ts';
import type { DaemonInfo } from '../../shared/contract/daemon.ts';
import type { ChangeLink, CreateLink, LinkedProxy, LinkRequest, Unlinked } from '../../shared/schema/link.ts';
import type { Pairing } from '../../shared/schema/pairing.ts';
import type { Daemon } from './clients.ts';
import { follow } from './follow.ts';

export type {
  CredentialEvent,
  LinkState,
  NewUser,
  Pairing,
  SessionRecord,
  TokenRecord,
  UserChange,
  UserRecord,
  VerifiedUser,
};

/** The daemon asks a proxy twice, 10 s each at most. */
const PROXY_TIMEOUT_MS = 25_000;

export type LiveSession = SessionRecord & SessionRights;

/**
 * The credentials, which the daemon stores. A change resolves after all change listeners have run. Changes `by` a user fail with `unauthenticated`
 * if that user is no longer as verified; `null` is the local administrator.
 */
export interface CredentialStore {
  /** Returns the id of this installation and the key of its tokens. Asks the daemon once. */
  issuer(): Promise<{ id: DaemonInfo['daemonId']; key: Uint8Array }>;
  user(username: string): Promise<UserRecord | null>;
  users(): Promise<UserRecord[]>;
  addUser(user: NewUser, by: VerifiedUser | null): Promise<void>;
  updateUser(request: { username: string; change: UserChange; by: VerifiedUser | null }): Promise<void>;
  removeUser(username: string, by: VerifiedUser | null): Promise<void>;
  endSessionsOf(username: string): Promise<void>;
  /** Creates a secret for an authenticator app, which takes effect once it is confirmed. */
  beginTotp(by: VerifiedUser): Promise<{ secret: string; uri: string }>;
  /** Also ends the user's other sessions. */
  confirmTotp(request: { code: string; by: VerifiedUser }): Promise<string[] | null>;
  /** Uses up a one-time code or a recovery code. Returns false if it is wrong or used up. */
  useSecondFactor(request: { username: string; code: string }): Promise<boolean>;
  removeTotp(by: VerifiedUser): Promise<void>;
  renewRecoveryCodes(by: VerifiedUser): Promise<string[]>;
  removeRecoveryCodes(by: VerifiedUser): Promise<void>;
  /** Replaces all sessions of the user by the new one. */
  setPassword(change: { passwordHash: string; session: SessionRecord; by: VerifiedUser }): Promise<void>;
  session(tokenHash: string): Promise<LiveSession | null>;
  addSession(session: SessionRecord, by: VerifiedUser): Promise<void>;
  extendSession(change: { tokenHash: string; expiresAt: string }): Promise<void>;
  endSession(tokenHash: string): Promise<void>;
  /** Returns a token unless it is revoked or expired. */
  token(id: string): Promise<TokenRecord | null>;
  tokens(): Promise<TokenRecord[]>;
  addToken(token: TokenRecord, by: VerifiedUser | null): Promise<void>;
  revokeToken(id: string, by: VerifiedUser | null): Promise<void>;
  sshKeys(username: string): Promise<SshKeyRecord[]>;
  addSshKey(request: { username: string; key: SshKeyRecord; by: VerifiedUser | null }): Promise<void>;
  removeSshKey(request: { username: string; id: string; by: VerifiedUser | null }): Promise<void>;
  pairing(): Promise<Pairing | null>;
  linkState(): Promise<LinkState>;
  /** Resolves once the proxy has given a code. */
  requestLink(request: { link: CreateLink; by: VerifiedUser | null }): Promise<LinkRequest>;
  cancelLinkRequest(): Promise<void>;
  changeLink(change: ChangeLink): Promise<LinkedProxy>;
  unlink(): Promise<Unlinked>;
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
  async function applied<T>(change: Promise<T>, event: CredentialEvent): Promise<T> {
    const result = await change;
    notify(event);
    return result;
  }

  const userChanged = (username: string): CredentialEvent => ({ type: 'user-changed', username });

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
    addUser: (user, by) => daemon.call.addUser({ user, by }),
    updateUser: (request) => applied(daemon.call.updateUser(request), userChanged(request.username)),
    removeUser: (username, by) => applied(daemon.call.removeUser({ username, by }), userChanged(username)),
    endSessionsOf: (username) => applied(daemon.call.endSessionsOf(username), userChanged(username)),
    beginTotp: (by) => daemon.call.beginTotp(by),
    confirmTotp: (request) => applied(daemon.call.confirmTotp(request), userChanged(request.by.username)),
    useSecondFactor: (request) => daemon.call.useSecondFactor(request),
    removeTotp: (by) => applied(daemon.call.removeTotp(by), userChanged(by.username)),
    renewRecoveryCodes: (by) => applied(daemon.call.renewRecoveryCodes(by), userChanged(by.username)),
    removeRecoveryCodes: (by) => applied(daemon.call.removeRecoveryCodes(by), userChanged(by.username)),
    setPassword: (change) => applied(daemon.call.setPassword(change), userChanged(change.by.username)),
    session: (tokenHash) => daemon.call.session(tokenHash),
    addSession: (session, by) => daemon.call.addSession({ session, by }),
    extendSession: (change) => daemon.call.extendSession(change),
    endSession: (tokenHash) => applied(daemon.call.endSession(tokenHash), { type: 'session-ended', tokenHash }),
    token: (id) => daemon.call.token(id),
    tokens: () => daemon.call.tokens(),
    addToken: (token, by) => daemon.call.addToken({ token, by }),
    sshKeys: (username) => daemon.call.sshKeys(username),
    addSshKey: (request) => daemon.call.addSshKey(request),
    removeSshKey: (request) => daemon.call.removeSshKey(request),
    pairing: () => daemon.call.pairing(),
    linkState: () => daemon.call.linkState(),
    requestLink: (request) => daemon.call.requestLink(request, { timeoutMs: PROXY_TIMEOUT_MS }),
    cancelLinkRequest: () => daemon.call.cancelLinkRequest(undefined, { timeoutMs: PROXY_TIMEOUT_MS }),
    changeLink: (change) => applied(daemon.call.changeLink(change), { type: 'pairing-changed' }),
    unlink: () => applied(daemon.call.unlink(undefined, { timeoutMs: PROXY_TIMEOUT_MS }), { type: 'pairing-changed' }),
    revokeToken: (id, by) => applied(daemon.call.revokeToken({ id, by }), { type: 'token-revoked', id }),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: stop,
  };
}
