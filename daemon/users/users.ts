import type { CredentialEvent } from '../../shared/contract/daemon/credentials.ts';
import type { UserChange, UserRecord } from '../../shared/contract/daemon/users.ts';
import type { VerifiedUser } from '../../shared/contract/daemon/verified-user.ts';
import type { DaemonService } from '../../shared/contract/daemon.ts';
import { EVERY_INSTANCE, type Grant, instanceOfGrant } from '../../shared/domain/access/grant.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Store } from '../store/store.ts';
import { requireVerified } from './require-verified.ts';

/** The calls of the daemon about users. */
export type Users = Pick<
  DaemonService,
  'users' | 'user' | 'addUser' | 'updateUser' | 'removeUser' | 'endSessionsOf' | 'setPassword'
>;

export interface UsersOptions {
  /** Returns an ISO time. */
  now: () => string;
  publish: (event: CredentialEvent) => void;
}

/** Guarantees that one administrator can always sign in: each check is in the transaction of its change. */
export function createUsers(
  store: Pick<Store, 'users' | 'secondFactors' | 'sessions' | 'tokens' | 'instances' | 'transaction'>,
  options: UsersOptions,
): Users {
  const { users, secondFactors, sessions, tokens, instances } = store;
  const { now, publish } = options;

  function find(username: string): UserRecord {
    const user = users.find(username);
    if (!user) throw new GamekeeperError('user_not_found', `There is no user "${username}".`);
    return user;
  }

  /** Throws `last_administrator` if no other administrator can sign in. */
  function requireAnother({ username, role, disabled }: UserRecord): void {
    if (role !== 'admin' || disabled || users.administrators() > 1) return;
    throw new GamekeeperError('last_administrator', `"${username}" is the only administrator who can sign in.`);
  }

  function requireInstances(grants: readonly Grant[]): void {
    for (const id of grants.map(instanceOfGrant))
      if (id !== EVERY_INSTANCE && !instances.has(id))
        throw new GamekeeperError('invalid_request', `Body: "instances": there is no instance "${id}".`);
  }

  /** Runs `work` for `by`, and publishes that the user has changed. */
  function change(by: VerifiedUser | null, username: string, work: () => void): void {
    store.transaction(() => {
      requireVerified(store, by, now());
      work();
    });
    publish({ type: 'user-changed', username });
  }

  function update(username: string, { totp, ...fields }: UserChange): void {
    const user = find(username);
    const demotes = fields.role !== undefined && fields.role !== 'admin';
    if (demotes || fields.disabled) requireAnother(user);
    requireInstances(fields.instances ?? []);
    users.update(username, fields);
    if (totp === false) secondFactors.remove(username);
    // Someone else may have signed in with the old password.
    if (fields.passwordHash !== undefined || fields.disabled) sessions.endAllOf(username);
  }

  return {
    users: users.all,
    user: users.find,
    addUser: ({ user, by }) =>
      change(by, user.username, () => {
        if (users.find(user.username))
          throw new GamekeeperError('user_exists', `The user "${user.username}" already exists.`);
        requireInstances(user.instances);
        users.add(user, now());
      }),
    updateUser: ({ username, change: fields, by }) => change(by, username, () => update(username, fields)),
    removeUser({ username, by }) {
      let revoked: string[] = [];
      change(by, username, () => {
        requireAnother(find(username));
        revoked = tokens.revokeAllOf(username);
        users.remove(username);
      });
      for (const id of revoked) publish({ type: 'token-revoked', id });
    },
    endSessionsOf(username) {
      sessions.endAllOf(username);
      publish({ type: 'user-changed', username });
    },
    setPassword: ({ passwordHash, session, by }) =>
      change(by, by.username, () => {
        update(by.username, { passwordHash, mustChangePassword: false });
        sessions.add(session);
      }),
  };
}
