import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { AuditEntry, AuditQuery, AuditRecord } from '../../shared/contract/daemon/audit.ts';
import { inTransaction } from './transaction.ts';

/**
 * How many entries of each kind are kept. The limits are separate, so that a flood of commands or guessed passwords, or an upload of many
 * files, cannot push out other changes.
 */
const MOST_KEPT = { change: 50_000, command: 50_000, file: 50_000, refusal: 20_000 };
type Kind = keyof typeof MOST_KEPT;
const KEPT_DAYS = 400;
/** Old entries are removed once per this many new ones. */
const PRUNE_EVERY = 1_000;

const FILES = /\/instances\/[^/]+\/files(?:\/|$)/;

const DAY_MS = 86_400_000;

/** Every request that changed something or tried to. */
export interface AuditTable {
  /** Adds all entries or none. They are on disk when this returns. */
  add(entries: readonly AuditEntry[]): void;
  /** Returns entries, newest first. */
  read(query: AuditQuery): AuditRecord[];
  /** Removes entries beyond the limits. `now` is an ISO time. */
  prune(now: string): void;
}

export function createAuditTable(
  database: DatabaseSync,
  mostKept: Readonly<Record<Kind, number>> = MOST_KEPT,
): AuditTable {
  // One row at a time: the number of parameters of a statement is limited, the number of entries is not (CVE-2026-21696).
  const add = database.prepare(
    `INSERT INTO audit (kind, at, who, username, origin, method, path, instance, command, status, request_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const reading = (filter: string) =>
    database.prepare(`SELECT * FROM audit WHERE number < ? ${filter} ORDER BY number DESC LIMIT ?`);
  const all = reading('');
  const ofUser = reading('AND username = ?');
  const ofInstance = reading('AND instance = ?');
  const ofBoth = reading('AND username = ? AND instance = ?');
  const dropOld = database.prepare('DELETE FROM audit WHERE at < ?');
  const dropMany = database.prepare(
    `DELETE FROM audit WHERE kind = ? AND number <=
       (SELECT number FROM audit WHERE kind = ? ORDER BY number DESC LIMIT 1 OFFSET ?)`,
  );
  let sincePruned = 0;

  function prune(now: string): void {
    sincePruned = 0;
    inTransaction(database, () => {
      dropOld.run(new Date(Date.parse(now) - KEPT_DAYS * DAY_MS).toISOString());
      for (const [kind, most] of Object.entries(mostKept)) dropMany.run(kind, kind, most);
    });
  }

  return {
    add(entries) {
      inTransaction(database, () => {
        for (const entry of entries) {
          const { at, who, username = who, from, method, path, status, requestId } = entry;
          const { instance = null, command = null } = entry;
          const kind = kindOf(entry);
          add.run(kind, at, who, username, from, method, path, instance, command, status, requestId);
        }
      });
      sincePruned += entries.length;
      const [newest] = entries.slice(-1);
      if (newest && sincePruned >= PRUNE_EVERY) prune(newest.at);
    },
    read({ before = Number.MAX_SAFE_INTEGER, limit, who, instance }) {
      if (who !== undefined && instance !== undefined) return ofBoth.all(before, who, instance, limit).map(toRecord);
      if (who !== undefined) return ofUser.all(before, who, limit).map(toRecord);
      if (instance !== undefined) return ofInstance.all(before, instance, limit).map(toRecord);
      return all.all(before, limit).map(toRecord);
    },
    prune,
  };
}

function kindOf({ method, status, instance, path }: AuditEntry): Kind {
  if (method === 'WS') return 'command';
  if (status >= 400) return 'refusal';
  const isOfFile = method === 'SFTP' ? instance !== undefined : FILES.test(path);
  return isOfFile ? 'file' : 'change';
}

function toRecord(row: Record<string, SQLOutputValue>): AuditRecord {
  return {
    id: Number(row.number),
    at: String(row.at),
    who: String(row.who),
    from: String(row.origin),
    method: String(row.method),
    path: String(row.path),
    ...(row.instance !== null && { instance: String(row.instance) }),
    ...(row.command !== null && { command: String(row.command) }),
    status: Number(row.status),
    requestId: String(row.request_id),
  };
}
