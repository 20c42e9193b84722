import type { DatabaseSync } from 'node:sqlite';
import type { UsagePoint } from '../usage/usage-point.ts';

/** A point together with what it belongs to. */
export interface StoredPoint {
  instanceId: string;
  stepSeconds: number;
  point: UsagePoint;
}

/** What servers used, as charts show it. */
export interface UsageTable {
  /** Writes points in one transaction, each over what was there for its time. */
  save(points: readonly StoredPoint[]): void;
  /** Points from `since` on (seconds since the epoch), oldest first. */
  since(request: { instanceId: string; stepSeconds: number; since: number }): UsagePoint[];
  /** Removes the points of that step from before `before`. */
  removeOlder(stepSeconds: number, before: number): void;
  removeAll(instanceId: string): void;
}

export function usageTable(database: DatabaseSync): UsageTable {
  const save = database.prepare(
    `INSERT OR REPLACE INTO usage_points
       (instance, step, at, cpu_sum, cpu_count, memory_sum, memory_count, tick_time_sum, tick_time_count, players)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const since = database.prepare(
    `SELECT at, cpu_sum, cpu_count, memory_sum, memory_count, tick_time_sum, tick_time_count, players FROM usage_points
     WHERE instance = ? AND step = ? AND at >= ? ORDER BY at`,
  );
  const removeOlder = database.prepare('DELETE FROM usage_points WHERE step = ? AND at < ?');
  const removeAll = database.prepare('DELETE FROM usage_points WHERE instance = ?');
  return {
    save(points) {
      database.exec('BEGIN');
      try {
        for (const { instanceId, stepSeconds, point } of points) {
          const { at, cpuSum, cpuCount, memorySum, memoryCount, tickTimeSum, tickTimeCount, players } = point;
          const sums = [cpuSum, cpuCount, memorySum, memoryCount, tickTimeSum, tickTimeCount];
          save.run(instanceId, stepSeconds, at, ...sums, players);
        }
        database.exec('COMMIT');
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
    since: (request) =>
      since.all(request.instanceId, request.stepSeconds, request.since).map((row) => ({
        at: Number(row.at),
        cpuSum: Number(row.cpu_sum),
        cpuCount: Number(row.cpu_count),
        memorySum: Number(row.memory_sum),
        memoryCount: Number(row.memory_count),
        tickTimeSum: Number(row.tick_time_sum),
        tickTimeCount: Number(row.tick_time_count),
        players: row.players === null ? null : Number(row.players),
      })),
    removeOlder: (stepSeconds, before) => void removeOlder.run(stepSeconds, before),
    removeAll: (instanceId) => void removeAll.run(instanceId),
  };
}
