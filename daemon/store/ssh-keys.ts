import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { SshKeyRecord } from '../../shared/contract/daemon/ssh-keys.ts';

/** The public keys with which users sign in by SFTP. */
export interface SshKeyTable {
  /** Oldest first. */
  of(username: string): SshKeyRecord[];
  /** Throws if the user has the key. */
  add(username: string, key: SshKeyRecord): void;
  /** Returns false if there is no such key. */
  remove(username: string, id: string): boolean;
}

export function createSshKeyTable(database: DatabaseSync): SshKeyTable {
  const all = database.prepare('SELECT * FROM ssh_keys WHERE username = ? ORDER BY created_at, id');
  const add = database.prepare(
    'INSERT INTO ssh_keys (id, username, label, type, base64, fingerprint, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM ssh_keys WHERE username = ? AND id = ?');
  return {
    of: (username) => all.all(username).map(toRecord),
    add(username, { id, label, type, base64, fingerprint, createdAt }) {
      add.run(id, username, label, type, base64, fingerprint, createdAt);
    },
    remove: (username, id) => remove.run(username, id).changes === 1,
  };
}

function toRecord(row: Record<string, SQLOutputValue>): SshKeyRecord {
  return {
    id: String(row.id),
    label: String(row.label),
    type: String(row.type),
    base64: String(row.base64),
    fingerprint: String(row.fingerprint),
    createdAt: String(row.created_at),
  };
}
