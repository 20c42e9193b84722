import { randomUUID } from 'node:crypto';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { parsePublicKey } from '../../shared/node/ssh/public-key.ts';
import type { NewSshKey, SshKey } from '../../shared/schema/ssh-keys.ts';
import { type Identity, verifiedOrLocal, verifiedUser } from '../auth/identity.ts';
import type { ReAuthentication } from '../auth/passwords/re-authentication.ts';
import type { CredentialStore, VerifiedUser } from '../upstream/credential-store.ts';

/** The public keys with which users sign in by SFTP. Without `username`: the caller's own. */
export interface SshKeysService {
  list(username: string | undefined, by: Identity): Promise<SshKey[]>;
  /** Needs the caller's password. For another user: on the command line only. Throws `invalid_state` if it cannot be added. */
  add(request: NewSshKey, by: Identity, address: string): Promise<SshKey>;
  /** Throws `ssh_key_not_found`. */
  remove(request: { id: string; username: string | undefined }, by: Identity): Promise<void>;
}

export interface SshKeysOptions {
  store: CredentialStore;
  reAuthentication: ReAuthentication;
  /** Milliseconds since the epoch. */
  now: () => number;
}

export function createSshKeysService({ store, reAuthentication, now }: SshKeysOptions): SshKeysService {
  /** Who may add a key can sign in with it later, so a stolen session is not enough. */
  async function requirePassword(password: string | undefined, by: Identity, address: string): Promise<VerifiedUser> {
    const user =
      password === undefined ? null : await reAuthentication.password(password, { username: by.username, address });
    if (!user) throw new GamekeeperError('invalid_request', 'Body: "password" is not your password.');
    return { ...verifiedUser(by), version: user.version };
  }

  return {
    async list(name, by) {
      const username = nameOf(name, by);
      if (!(await store.user(username))) throw new GamekeeperError('user_not_found', `There is no user "${username}".`);
      return (await store.sshKeys(username)).map(({ base64: _, ...shown }) => shown);
    },
    async add({ publicKey, label, password, username: name }, by, address) {
      const username = nameOf(name, by);
      if (username.toLowerCase() !== by.username.toLowerCase() && by.kind !== 'local')
        throw new GamekeeperError('insufficient_scope', 'Users add their keys themselves.', {
          resolution: 'On the machine that runs Gamekeeper, use "gamekeeper ssh-keys add".',
        });
      const parsed = parsePublicKey(publicKey);
      if (typeof parsed === 'string') throw new GamekeeperError('invalid_request', `Body: "publicKey" ${parsed}.`);
      const verified = by.kind === 'local' ? null : await requirePassword(password, by, address);
      const { comment, ...key } = parsed;
      const shown = { id: randomUUID(), label: label ?? labelOf(comment), createdAt: new Date(now()).toISOString() };
      await store.addSshKey({ username, key: { ...shown, ...key }, by: verified });
      return { ...shown, type: key.type, fingerprint: key.fingerprint };
    },
    remove: ({ id, username }, by) =>
      store.removeSshKey({ id, username: nameOf(username, by), by: verifiedOrLocal(by) }),
  };
}

/** Throws `insufficient_scope` for another user's keys, and `invalid_request` for the command line, which has none of its own. */
function nameOf(username: string | undefined, by: Identity): string {
  if (by.kind === 'local' && username === undefined)
    throw new GamekeeperError('invalid_request', '"username" is missing.');
  if (username === undefined) return by.username;
  if (by.role !== 'admin' && username.toLowerCase() !== by.username.toLowerCase())
    throw new GamekeeperError('insufficient_scope', 'These are the keys of another user.');
  return username;
}

/** A comment is anything that somebody typed. */
function labelOf(comment: string): string {
  return (
    comment
      .replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '')
      .trim()
      .slice(0, 64) || 'SSH key'
  );
}
