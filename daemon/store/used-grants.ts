import type { DatabaseSync } from 'node:sqlite';

/** Grants of the paired proxy that something stored depends on, such as a schedule. They are removed when they end. */
export interface UsedGrantTable {
  add(grantId: string): void;
  has(grantId: string): boolean;
  all(): string[];
  remove(grantId: string): void;
  clear(): void;
}

export function createUsedGrantTable(database: DatabaseSync): UsedGrantTable {
  const add = database.prepare('INSERT OR IGNORE INTO used_grants (grant_id) VALUES (?)');
  const has = database.prepare('SELECT 1 FROM used_grants WHERE grant_id = ?');
  const all = database.prepare('SELECT grant_id FROM used_grants');
  const remove = database.prepare('DELETE FROM used_grants WHERE grant_id = ?');
  const clear = database.prepare('DELETE FROM used_grants');
  return {
    add: (grantId) => void add.run(grantId),
    has: (grantId) => has.get(grantId) !== undefined,
    all: () => all.all().map((row) => String(row.grant_id)),
    remove: (grantId) => void remove.run(grantId),
    clear: () => void clear.run(),
  };
}
