import { EVERY_INSTANCE, type Grant } from '../../shared/domain/access/grant.ts';
import type { Role } from '../../shared/domain/access/scope.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { generatePassword } from '../../shared/node/generated-password.ts';
import { askerOf, type PasswordWork } from '../../shared/node/passwords/password-work.ts';
import type { CreatedUser, CreateUser, UpdateUser, User } from '../../shared/schema/users.ts';
import { type Identity, verifiedOrLocal } from '../auth/identity.ts';
import type { CredentialStore, UserRecord } from '../upstream/credential-store.ts';

/** User administration. One administrator always remains (`last_administrator`). */
export interface UsersService {
  list(): Promise<User[]>;
  /** Throws `user_not_found`. */
  get(username: string): Promise<User>;
  /** Throws `user_exists`. */
  create(request: CreateUser, by: Identity): Promise<CreatedUser>;
  /** Takes effect at once, including for open connections. Throws `own_account` for a change that would lock `by` out. */
  update(username: string, change: UpdateUser, by: Identity): Promise<User>;
  /** Removes a user with all sessions and tokens. Throws `own_account`. */
  remove(username: string, by: Identity): Promise<void>;
}

export interface UsersOptions {
  store: CredentialStore;
  passwords: PasswordWork;
}

export function createUsersService({ store, passwords }: UsersOptions): UsersService {
  async function find(username: string): Promise<UserRecord> {
    const user = await store.user(username);
    if (!user) throw new GamekeeperError('user_not_found', `There is no user "${username}".`);
    return user;
  }

  return {
    list: async () => (await store.users()).map(toPublic),
    get: async (username) => toPublic(await find(username)),
    async create({ username, role, password: chosen, instances, mustChangePassword }, by) {
      requirePossible(role, instances);
      if (await store.user(username))
        throw new GamekeeperError('user_exists', `A user named "${username}" already exists.`);
      const password = chosen ?? generatePassword();
      const user = {
        username,
        role,
        passwordHash: await passwords.hash(password, askerOf(by)),
        mustChangePassword: mustChangePassword ?? chosen === undefined,
        instances,
      };
      await store.addUser(user, verifiedOrLocal(by));
      return { ...toPublic(await find(username)), ...(chosen === undefined && { password }) };
    },
    async update(name, { password, ...fields }, by) {
      const user = await find(name);
      const { username } = user;
      if (isOwn(user, by)) requireHarmless({ password, ...fields });
      requirePossible(fields.role ?? user.role, fields.instances ?? [EVERY_INSTANCE]);
      const passwordHash = password === undefined ? undefined : await passwords.hash(password, askerOf(by));
      await store.updateUser({ username, change: { ...fields, passwordHash }, by: verifiedOrLocal(by) });
      return toPublic(await find(username));
    },
    async remove(username, by) {
      const user = await find(username);
      if (isOwn(user, by)) throw new GamekeeperError('own_account', `You are signed in as "${user.username}".`);
      await store.removeUser(user.username, verifiedOrLocal(by));
    },
  };
}

function isOwn({ username }: UserRecord, by: Identity): boolean {
  return by.kind === 'session' && by.username === username;
}

/** Throws `own_account` for changes that need re-authentication or would lock the user out. */
function requireHarmless({ role, disabled, password, totp }: UpdateUser): void {
  if (disabled || (role !== undefined && role !== 'admin'))
    throw new GamekeeperError('own_account', 'This would lock you out.');
  if (password !== undefined)
    throw new GamekeeperError('own_account', 'To change your own password you must enter the current one.', {
      resolution: 'Use PUT /api/password.',
    });
  if (totp === false)
    throw new GamekeeperError(
      'own_account',
      'To remove your own second factor you must enter your password or a code.',
      {
        resolution: 'Use DELETE /api/totp.',
      },
    );
}

function requirePossible(role: Role, instances: readonly Grant[]): void {
  if (role === 'admin' && !(instances.length === 1 && instances[0] === EVERY_INSTANCE))
    throw new GamekeeperError('invalid_request', 'Body: "instances": an administrator always has all instances.', {
      resolution: 'Leave it out, or choose the role operator or viewer.',
    });
}

function toPublic({ username, role, instances, disabled, mustChangePassword, totp, createdAt }: UserRecord): User {
  return {
    username,
    role,
    instances: role === 'admin' ? [EVERY_INSTANCE] : instances,
    disabled,
    mustChangePassword,
    totp,
    ...(createdAt !== undefined && { createdAt }),
  };
}
