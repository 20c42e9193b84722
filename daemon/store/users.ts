import type { DatabaseSync } from 'node:sqlite';
import type { UserRecord } from '../../shared/contract/daemon.ts';
import type { Role } from '../../shared/domain/scope.ts';

/** Users of the panel. Names differ only if they differ in more than case. */
export interface UserTable {
  count(): number;
  find(username: string): UserRecord | null;
  add(user: UserRecord): void;
  /** False when there is no such user. */
  setPassword(change: { username: string; passwordHash: string; mustChangePassword: boolean }): boolean;
}

export function userTable(database: DatabaseSync): UserTable {
  const count = database.prepare('SELECT count(*) AS users FROM users');
  const find = database.prepare('SELECT * FROM users WHERE username = ?');
  const add = database.prepare(
    'INSERT INTO users (username, role, password_hash, must_change_password) VALUES (?, ?, ?, ?)',
  );
  const setPassword = database.prepare(
    'UPDATE users SET password_hash = ?, must_change_password = ? WHERE username = ?',
  );
  return {
    count: () => Number(count.get()?.users),
    find(username) {
      const row = find.get(username);
      if (!row) return null;
      return {
        username: String(row.username),
        role: row.role as Role,
        passwordHash: String(row.password_hash),
        mustChangePassword: row.must_change_password === 1,
      };
    },
    add: (user) => void add.run(user.username, user.role, user.passwordHash, user.mustChangePassword ? 1 : 0),
    setPassword: ({ username, passwordHash, mustChangePassword }) =>
      setPassword.run(passwordHash, mustChangePassword ? 1 : 0, username).changes === 1,
  };
}
