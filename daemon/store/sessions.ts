import type { DatabaseSync } from 'node:sqlite';
import type { SessionRecord } from '../../shared/contract/daemon/sessions.ts';

/** Sessions of signed-in browsers. `now` is an ISO time. */
export interface SessionTable {
  find(tokenHash: string, now: string): SessionRecord | null;
  add(session: SessionRecord): void;
  /** Moves the sliding expiry, but not past the absolute one. */
  extend(change: { tokenHash: string; expiresAt: string }): void;
  end(tokenHash: string): void;
  endAllOf(username: string, exceptTokenHash?: string): void;
  removeExpired(now: string): void;
}

export function createSessionTable(database: DatabaseSync): SessionTable {
  const find = database.prepare(
    `SELECT sessions.*, users.username AS name FROM sessions JOIN users USING (username)
     WHERE token_hash = ? AND expires_at > ? AND NOT users.disabled`,
  );
  const add = database.prepare(
    'INSERT INTO sessions (token_hash, username, expires_at, absolute_expires_at) VALUES (?, ?, ?, ?)',
  );
  // ISO times in UTC sort as text.
  const extend = database.prepare('UPDATE sessions SET expires_at = min(?, absolute_expires_at) WHERE token_hash = ?');
  const end = database.prepare('DELETE FROM sessions WHERE token_hash = ?');
  const endAllOf = database.prepare('DELETE FROM sessions WHERE username = ? AND token_hash IS NOT ?');
  const removeExpired = database.prepare('DELETE FROM sessions WHERE expires_at <= ?');
  return {
    find(tokenHash, now) {
      const row = find.get(tokenHash, now);
      if (!row) return null;
      return {
        tokenHash,
        username: String(row.name),
        expiresAt: String(row.expires_at),
        absoluteExpiresAt: String(row.absolute_expires_at),
      };
    },
    add: (session) => void add.run(session.tokenHash, session.username, session.expiresAt, session.absoluteExpiresAt),
    extend: ({ tokenHash, expiresAt }) => void extend.run(expiresAt, tokenHash),
    end: (tokenHash) => void end.run(tokenHash),
    endAllOf: (username, except) => void endAllOf.run(username, except ?? null),
    removeExpired: (now) => void removeExpired.run(now),
  };
}
