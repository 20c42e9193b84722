import type { CredentialEvent } from '../../shared/contract/daemon/credentials.ts';
import type { UserChange, UserRecord } from '../../shared/contract/daemon/users.ts';
import type { DaemonService } from '../../shared/contract/daemon.ts';
import { EVERY_INSTANCE, type Grant, instanceOfGrant } from '../../shared/domain/grant.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Store } from '../store/store.ts';

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

/** Guarantees that one administrator can always sign in: each check runs together with its change, without interruption. */
export function createUsers(
  store: Pick<Store, 'users' | 'sessions' | 'tokens' | 'instances'>,
  options: UsersOptions,
): Users {
  const { users, sessions, tokens, instances } = store;
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

  function update({ username, change }: { username: string; change: UserChange }): void {
    const user = find(username);
    const demotes = change.role !== undefined && change.role !== 'admin';
    if (demotes || change.disabled) requireAnother(user);
    requireInstances(change.instances ?? []);
    users.update(username, change);
    // Someone else may have signed in with the old password.
    if (change.passwordHash !== undefined || change.disabled) sessions.endAllOf(username);
    publish({ type: 'user-changed', username });
  }

  return {
    users: users.all,
    user: users.find,
    addUser(user) {
      if (users.find(user.username))
        throw new GamekeeperError('user_exists', `The user "${user.username}" already exists.`);
      requireInstances(user.instances);
      users.add(user, now());
    },
    updateUser: update,
    removeUser(username) {
      requireAnother(find(username));
      const revoked = tokens.revokeAllOf(username);
      users.remove(username);
      for (const id of revoked) publish({ type: 'token-revoked', id });
      publish({ type: 'user-changed', username });
    },
    endSessionsOf({ username, exceptTokenHash }) {
      sessions.endAllOf(username, exceptTokenHash);
      publish({ type: 'user-changed', username });
    },
    setPassword: ({ username, ...change }) => update({ username, change }),
  };
}
