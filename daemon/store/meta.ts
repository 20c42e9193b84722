import { randomBytes, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

const TOKEN_KEY_BYTES = 32;

/** Single values. */
export interface MetaTable {
  /** Stable id of this installation, the `iss` of its tokens. */
  readonly daemonId: string;
  /** Key of HS256 bearer tokens, base64url, 256 bit (RFC 7518, 3.2: at least the hash's size). */
  readonly tokenKey: string;
}

export function createMetaTable(database: DatabaseSync): MetaTable {
  const read = database.prepare('SELECT value FROM meta WHERE key = ?');
  const write = database.prepare('INSERT INTO meta (key, value) VALUES (?, ?)');
  const stored = (key: string, create: () => string): string => {
    const row = read.get(key);
    if (row) return String(row.value);
    const value = create();
    write.run(key, value);
    return value;
  };
  return {
    daemonId: stored('daemonId', randomUUID),
    tokenKey: stored('tokenKey', () => randomBytes(TOKEN_KEY_BYTES).toString('base64url')),
  };
}
