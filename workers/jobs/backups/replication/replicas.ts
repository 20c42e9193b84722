import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { BackupKey } from '../catalogue/archive-files.ts';
import type { StoredObject } from '../stores/store.ts';

export interface ReplicaKey extends BackupKey {
  store: string;
}

/** A copy as stored in the database. Only replication.ts knows which copies are being made at the moment. */
export interface ReplicaRow extends ReplicaKey {
  /** `removing`: the backup is deleted, its copy must still be removed from the store. */
  state: 'pending' | 'replicated' | 'failed' | 'missing' | 'damaged' | 'removing';
  /** The object in the store, complete or being uploaded. `null` before the first attempt. */
  object: StoredObject | null;
  attempts: number;
  /** Time of the next automatic attempt, milliseconds since the epoch; `null`: none. */
  nextAttemptAt: number | null;
  /** Why the last attempt failed, or what is wrong with the copy. */
  error: string | null;
  /** ISO time, as is `checkedAt`. */
  replicatedAt: string | null;
  checkedAt: string | null;
}

/** A copy of a backup that is not being deleted. */
export type KeptReplica = ReplicaRow & { state: Exclude<ReplicaRow['state'], 'removing'> };

/** The copies of backups in stores: existing, to be made and to be removed. Kept in the database. */
export interface Replicas {
  of(key: BackupKey): KeptReplica[];
  ofInstance(instanceId: string): KeptReplica[];
  /** Returns the copies that are not finished, of backups that are ready or gone. */
  unsettled(): ReplicaRow[];
  /** Requests a copy, or another attempt if the last one failed. */
  request(key: BackupKey, store: string): void;
  /** Updates a copy. A row that is gone stays gone, and `removing` stays `removing`. */
  update(row: ReplicaKey, change: Partial<Omit<ReplicaRow, keyof ReplicaKey>>): void;
  /** Marks the copies of a deleted backup as `removing`, and forgets those that were never started. */
  retract(key: BackupKey): void;
  remove(row: ReplicaKey): void;
}

export function createReplicas(database: DatabaseSync): Replicas {
  const select = 'SELECT replica.* FROM backup_replica AS replica';
  const ofBackup = 'WHERE instance_id = ? AND backup_id = ?';
  const of = database.prepare(`${select} ${ofBackup} AND state <> 'removing' ORDER BY store`);
  const ofInstance = database.prepare(`${select} WHERE instance_id = ? AND state <> 'removing' ORDER BY store`);
  const unsettled = database.prepare(
    `${select} LEFT JOIN backup USING (instance_id, backup_id)
     WHERE replica.state = 'removing' OR (replica.state <> 'replicated' AND backup.state = 'ready')
     ORDER BY backup_id, store`,
  );
  const insert = database.prepare(
    `INSERT INTO backup_replica (instance_id, backup_id, store, state, attempts, next_attempt_at)
     VALUES (?, ?, ?, 'pending', 0, 0)
     ON CONFLICT DO UPDATE SET state = 'pending', attempts = 0, next_attempt_at = 0, error = NULL
     WHERE state <> 'replicated'`,
  );
  const find = database.prepare(`${select} ${ofBackup} AND store = ?`);
  const write = database.prepare(
    `UPDATE backup_replica SET state = ?, object = ?, attempts = ?, next_attempt_at = ?, error = ?, replicated_at = ?,
     checked_at = ? ${ofBackup} AND store = ?`,
  );
  const forget = database.prepare(`DELETE FROM backup_replica ${ofBackup} AND object IS NULL`);
  const retract = database.prepare(
    `UPDATE backup_replica SET state = 'removing', attempts = 0, next_attempt_at = 0, error = NULL
     ${ofBackup} AND state <> 'removing'`,
  );
  const remove = database.prepare(`DELETE FROM backup_replica ${ofBackup} AND store = ?`);
  return {
    of: ({ instanceId, backupId }) => of.all(instanceId, backupId).map(toRow) as KeptReplica[],
    ofInstance: (instanceId) => ofInstance.all(instanceId).map(toRow) as KeptReplica[],
    unsettled: () => unsettled.all().map(toRow),
    request: ({ instanceId, backupId }, store) => void insert.run(instanceId, backupId, store),
    update({ instanceId, backupId, store }, change) {
      const found = find.get(instanceId, backupId, store);
      if (!found || (found.state === 'removing' && change.state !== undefined)) return;
      const { state, object, attempts, nextAttemptAt, error, replicatedAt, checkedAt } = { ...toRow(found), ...change };
      write.run(
        ...[state, object && JSON.stringify(object), attempts, nextAttemptAt, error, replicatedAt, checkedAt],
        ...[instanceId, backupId, store],
      );
    },
    retract({ instanceId, backupId }) {
      forget.run(instanceId, backupId);
      retract.run(instanceId, backupId);
    },
    remove: ({ instanceId, backupId, store }) => void remove.run(instanceId, backupId, store),
  };
}

function toRow(row: Record<string, SQLOutputValue>): ReplicaRow {
  const text = (value: SQLOutputValue | undefined) => (value === null || value === undefined ? null : String(value));
  return {
    instanceId: String(row.instance_id),
    backupId: String(row.backup_id),
    store: String(row.store),
    state: String(row.state) as ReplicaRow['state'],
    object: typeof row.object === 'string' ? (JSON.parse(row.object) as StoredObject) : null,
    attempts: Number(row.attempts),
    nextAttemptAt: row.next_attempt_at === null ? null : Number(row.next_attempt_at),
    error: text(row.error),
    replicatedAt: text(row.replicated_at),
    checkedAt: text(row.checked_at),
  };
}
