import type { DatabaseSync } from 'node:sqlite';
import type { SessionRecord } from '../../shared/contract/daemon.ts';
import type { Role } from '../../shared/domain/scope.ts';

/** Signed-in browsers. `now` is an ISO time; an ended session is as good as none. */
export interface SessionTable {
  find(tokenHash: string, now: string): (SessionRecord & { role: Role; mustChangePassword: boolean }) | null;
  add(session: SessionRecord): void;
  /** Moves the sliding end, never past the absolute one. */
  extend(change: { tokenHash: string; expiresAt: string }): void;
  end(tokenHash: string): void;
  endAllOf(username: string): void;
  removeExpired(now: string): void;
}

export function sessionTable(database: DatabaseSync): SessionTable {
  const find = database.prepare(
    `SELECT sessions.*, users.role, users.must_change_password FROM sessions JOIN users USING (username)
     WHERE token_hash = ? AND expires_at > ?`,
  );
  const add = database.prepare(
    'INSERT INTO sessions (token_hash, username, expires_at, absolute_expires_at) VALUES (?, ?, ?, ?)',
  );
  // ISO times in UTC sort as text.
  const extend = database.prepare('UPDATE sessions SET expires_at = min(?, absolute_expires_at) WHERE token_hash = ?');
  const end = database.prepare('DELETE FROM sessions WHERE token_hash = ?');
  const endAllOf = database.prepare('DELETE FROM sessions WHERE username = ?');
  const removeExpired = database.prepare('DELETE FROM sessions WHERE expires_at <= ?');
  return {
    find(tokenHash, now) {
      const row = find.get(tokenHash, now);
      if (!row) return null;
      return {
        tokenHash,
        username: String(row.username),
        expiresAt: String(row.expires_at),
        absoluteExpiresAt: String(row.absolute_expires_at),
        role: row.role as Role,
        mustChangePassword: row.must_change_password === 1,
      };
    },
    add: (session) => void add.run(session.tokenHash, session.username, session.expiresAt, session.absoluteExpiresAt),
    extend: ({ tokenHash, expiresAt }) => void extend.run(expiresAt, tokenHash),
    end: (tokenHash) => void end.run(tokenHash),
    endAllOf: (username) => void endAllOf.run(username),
    removeExpired: (now) => void removeExpired.run(now),
  };
}
