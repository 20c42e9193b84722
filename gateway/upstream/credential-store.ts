import type {
  CredentialEvent,
  DaemonInfo,
  SessionRecord,
  TokenRecord,
  UserRecord,
} from '../../shared/contract/daemon.ts';
import type { Role } from '../../shared/domain/scope.ts';
import type { Pairing } from '../../shared/schema/pairing.ts';
import type { Daemon } from './daemon.ts';
import { follow } from './follow.ts';

export type { CredentialEvent, Pairing, SessionRecord, TokenRecord, UserRecord };

/** A session as it is stored, with what its user may do now. */
export type LiveSession = SessionRecord & { role: Role; mustChangePassword: boolean };

/** Where credentials are kept: the daemon. */
export interface CredentialStore {
  /** Id of this installation and the key of its tokens, asked once. */
  issuer(): Promise<{ id: DaemonInfo['daemonId']; key: Uint8Array }>;
  user(username: string): Promise<UserRecord | null>;
  setPassword(change: { username: string; passwordHash: string; mustChangePassword: boolean }): Promise<void>;
  session(tokenHash: string): Promise<LiveSession | null>;
  addSession(record: SessionRecord): Promise<void>;
  extendSession(change: { tokenHash: string; expiresAt: string }): Promise<void>;
  endSession(tokenHash: string): Promise<void>;
  /** A token that was minted and neither revoked nor expired. */
  token(id: string): Promise<TokenRecord | null>;
  tokens(): Promise<TokenRecord[]>;
  addToken(record: TokenRecord): Promise<void>;
  revokeToken(id: string): Promise<void>;
  pairing(): Promise<Pairing | null>;
  /** Runs `listener` for each change, and with `undefined` when changes may have been missed. Returns how to stop listening. */
  onChange(listener: (event: CredentialEvent | undefined) => void): () => void;
  close(): void;
}

export function credentialStore(daemon: Daemon, onLost: (error: unknown) => void): CredentialStore {
  const listeners = new Set<(event: CredentialEvent | undefined) => void>();
  let issuer: Promise<{ id: string; key: Uint8Array }> | undefined;
  const tell = (event: CredentialEvent | undefined) => {
    for (const listener of listeners) listener(event);
  };
  const stop = follow({
    subscribe: (signal) => {
      // What changed between the loss and this subscription was not heard; a call that it overtakes has seen it.
      tell(undefined);
      return daemon.call.watchCredentials(undefined, { signal });
    },
    onItem: tell,
    onLost(error) {
      onLost(error);
      tell(undefined);
    },
  });

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
    setPassword: (change) => daemon.call.setPassword(change),
    session: (tokenHash) => daemon.call.session(tokenHash),
    addSession: (record) => daemon.call.addSession(record),
    extendSession: (change) => daemon.call.extendSession(change),
    endSession: (tokenHash) => daemon.call.endSession(tokenHash),
    token: (id) => daemon.call.token(id),
    tokens: () => daemon.call.tokens(),
    addToken: (record) => daemon.call.addToken(record),
    revokeToken: (id) => daemon.call.revokeToken(id),
    pairing: () => daemon.call.pairing(),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: stop,
  };
}
