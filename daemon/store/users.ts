import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { NewUser, UserChange, UserRecord } from '../../shared/contract/daemon/users.ts';
import { EVERY_INSTANCE, type FileRight, type Grant, type InstanceRole } from '../../shared/domain/access/grant.ts';
import type { Role } from '../../shared/domain/access/scope.ts';
import { inTransaction } from './transaction.ts';

/** Users of the panel. Their names are not case-sensitive. */
export interface UserTable {
  count(): number;
  /** Returns the number of administrators who can sign in. */
  administrators(): number;
  /** Returns all users by name. */
  all(): UserRecord[];
  find(username: string): UserRecord | null;
  /** `createdAt` is an ISO time. Throws if the name is taken or a granted instance does not exist. */
  add(user: NewUser, createdAt: string): void;
  /** Returns false if there is no such user. Throws if a granted instance does not exist. */
  update(username: string, change: UserChange): boolean;
  /** Gives the user another version, for a change in another table. */
  renewVersion(username: string): void;
  /** Removes a user with sessions and grants. Returns false if there is no such user. */
  remove(username: string): boolean;
}

/** 128 random bits, hex. */
const NEW_VERSION = 'lower(hex(randomblob(16)))';

export function createUserTable(database: DatabaseSync): UserTable {
  const count = database.prepare('SELECT count(*) AS users FROM users');
  const administrators = database.prepare("SELECT count(*) AS users FROM users WHERE role = 'admin' AND disabled = 0");
  const selected = `SELECT users.*,
      EXISTS (SELECT 1 FROM totp WHERE totp.username = users.username AND confirmed) AS has_totp,
      (SELECT count(*) FROM recovery_codes WHERE recovery_codes.username = users.username) AS codes
    FROM users`;
  const all = database.prepare(`${selected} ORDER BY username`);
  const find = database.prepare(`${selected} WHERE username = ?`);
  const add = database.prepare(
    `INSERT INTO users (username, role, password_hash, must_change_password, every_instance, created_at, version)
     VALUES (?, ?, ?, ?, ?, ?, ${NEW_VERSION})`,
  );
  const update = database.prepare(
    `UPDATE users SET version = ${NEW_VERSION}, role = coalesce(?, role), password_hash = coalesce(?, password_hash),
       must_change_password = coalesce(?, must_change_password), disabled = coalesce(?, disabled) WHERE username = ?`,
  );
  const setEvery = database.prepare('UPDATE users SET every_instance = ? WHERE username = ?');
  const renewVersion = database.prepare(`UPDATE users SET version = ${NEW_VERSION} WHERE username = ?`);
  const remove = database.prepare('DELETE FROM users WHERE username = ?');
  const grantsOf = database.prepare('SELECT instance, role, files FROM grants WHERE username = ? ORDER BY instance');
  const addGrant = database.prepare('INSERT INTO grants (username, instance, role, files) VALUES (?, ?, ?, ?)');
  const removeGrants = database.prepare('DELETE FROM grants WHERE username = ?');

  function saveGrants(username: string, instances: readonly Grant[]): void {
    removeGrants.run(username);
    setEvery.run(instances.includes(EVERY_INSTANCE) ? 1 : 0, username);
    for (const grant of instances)
      if (typeof grant === 'object') addGrant.run(username, grant.id, grant.role, grant.files ?? null);
      else if (grant !== EVERY_INSTANCE) addGrant.run(username, grant, null, null);
  }

  function toRecord(row: Record<string, SQLOutputValue>): UserRecord {
    const username = String(row.username);
    return {
      username,
      role: row.role as Role,
      version: String(row.version),
      passwordHash: String(row.password_hash),
      mustChangePassword: row.must_change_password === 1,
      instances: [...(row.every_instance === 1 ? [EVERY_INSTANCE] : []), ...grantsOf.all(username).map(toGrant)],
      disabled: row.disabled === 1,
      totp: row.has_totp === 1,
      recoveryCodes: Number(row.codes),
      ...(row.created_at !== null && { createdAt: String(row.created_at) }),
    };
  }

  return {
    count: () => Number(count.get()?.users),
    administrators: () => Number(administrators.get()?.users),
    all: () => all.all().map(toRecord),
    find(username) {
      const row = find.get(username);
      return row ? toRecord(row) : null;
    },
    add: ({ username, role, passwordHash, mustChangePassword, instances }, createdAt) =>
      inTransaction(database, () => {
        add.run(username, role, passwordHash, flag(mustChangePassword), 1, createdAt);
        saveGrants(username, instances);
      }),
    update: (username, { role, passwordHash, mustChangePassword, disabled, instances }) =>
      inTransaction(database, () => {
        const { changes } = update.run(
          role ?? null,
          passwordHash ?? null,
          mustChangePassword === undefined ? null : flag(mustChangePassword),
          disabled === undefined ? null : flag(disabled),
          username,
        );
        if (changes === 1 && instances) saveGrants(username, instances);
        return changes === 1;
      }),
    renewVersion: (username) => void renewVersion.run(username),
    remove: (username) => remove.run(username).changes === 1,
  };
}

function toGrant({ instance, role, files }: Record<string, SQLOutputValue>): Grant {
  const id = String(instance);
  if (role === null) return id;
  return { id, role: role as InstanceRole, ...(files !== null && { files: files as FileRight }) };
}

function flag(value: boolean): 0 | 1 {
  return value ? 1 : 0;
}
