import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { TokenRecord } from '../../shared/contract/daemon/credentials.ts';
import type { Scope } from '../../shared/domain/access/scope.ts';

/** Bearer tokens that were created. The tokens themselves are not stored. `now` is an ISO time. */
export interface TokenTable {
  /** Returns the valid tokens, oldest first. */
  all(now: string): TokenRecord[];
  find(id: string, now: string): TokenRecord | null;
  add(token: TokenRecord): void;
  /** Returns false if there is no such valid token. */
  revoke(id: string, now: string): boolean;
  /** Revokes all tokens of a user and returns their ids. */
  revokeAllOf(username: string): string[];
  /** Returns the ids of the tokens that were revoked before they expired. */
  revoked(now: string): string[];
  removeExpired(now: string): void;
}

export function createTokenTable(database: DatabaseSync): TokenTable {
  const all = database.prepare('SELECT * FROM tokens WHERE revoked = 0 AND expires_at > ? ORDER BY created_at, rowid');
  const find = database.prepare('SELECT * FROM tokens WHERE id = ? AND revoked = 0 AND expires_at > ?');
  const add = database.prepare(
    `INSERT INTO tokens (id, name, scopes, unrestricted, created_by, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const revoke = database.prepare('UPDATE tokens SET revoked = 1 WHERE id = ? AND revoked = 0 AND expires_at > ?');
  const revokeAllOf = database.prepare(
    'UPDATE tokens SET revoked = 1 WHERE created_by = ? COLLATE NOCASE AND revoked = 0 RETURNING id',
  );
  const revoked = database.prepare('SELECT id FROM tokens WHERE revoked = 1 AND expires_at > ?');
  const removeExpired = database.prepare('DELETE FROM tokens WHERE expires_at <= ?');
  return {
    all: (now) => all.all(now).map(toRecord),
    find(id, now) {
      const row = find.get(id, now);
      return row ? toRecord(row) : null;
    },
    add: ({ id, name, scopes, unrestricted, createdBy, createdAt, expiresAt }) =>
      void add.run(id, name, JSON.stringify(scopes), unrestricted ? 1 : 0, createdBy, createdAt, expiresAt),
    revoke: (id, now) => revoke.run(id, now).changes === 1,
    revokeAllOf: (username) => revokeAllOf.all(username).map((row) => String(row.id)),
    revoked: (now) => revoked.all(now).map((row) => String(row.id)),
    removeExpired: (now) => void removeExpired.run(now),
  };
}

function toRecord(row: Record<string, SQLOutputValue>): TokenRecord {
  return {
    id: String(row.id),
    name: String(row.name),
    scopes: JSON.parse(String(row.scopes)) as Scope[],
    unrestricted: row.unrestricted === 1,
    createdBy: String(row.created_by),
    createdAt: String(row.created_at),
    expiresAt: String(row.expires_at),
  };
}
