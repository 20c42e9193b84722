import type { DatabaseSync } from 'node:sqlite';
import type { AuditEntry } from '../../shared/contract/daemon.ts';

/** Every request that changed something, or tried to. */
export interface AuditTable {
  add(entry: AuditEntry): void;
}

export function auditTable(database: DatabaseSync): AuditTable {
  const add = database.prepare(
    'INSERT INTO audit (at, who, origin, method, path, status, request_id) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  return {
    add: ({ at, who, from, method, path, status, requestId }) =>
      void add.run(at, who, from, method, path, status, requestId),
  };
}
