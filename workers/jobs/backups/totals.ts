import type { DatabaseSync } from 'node:sqlite';
import type { BackupTotals } from '../../../shared/contract/stats.ts';

/** What backups there are of each instance, summed up by the database. */
export function backupTotals(database: DatabaseSync): () => BackupTotals[] {
  // A column beside max() comes from the row that holds the maximum (SQLite, "Bare columns in an aggregate query"), and ids sort by time.
  const query = database.prepare(`
    SELECT instance_id, count(*) AS count, sum(entry ->> 'sizeBytes') AS bytes, max(backup_id),
      entry ->> 'createdAt' AS at, entry ->> 'durationMs' AS duration, entry ->> 'sizeBytes' AS size
    FROM backup WHERE state = 'ready' GROUP BY instance_id`);
  return () =>
    query.all().map(({ instance_id, count, bytes, at, duration, size }) => ({
      instanceId: String(instance_id),
      count: Number(count),
      bytes: Number(bytes),
      newest: { at: Date.parse(String(at)), durationMs: Number(duration), bytes: Number(size) },
    }));
}
