import type { DatabaseSync } from 'node:sqlite';
import type { UsagePoint } from '../usage/usage-point.ts';
import { inTransaction } from './transaction.ts';

/** A point with its instance and step. */
export interface StoredPoint {
  instanceId: string;
  stepSeconds: number;
  point: UsagePoint;
}

/** The resource usage of servers, for charts. */
export interface UsageTable {
  /** Writes points in one transaction, replacing those of the same time. */
  save(points: readonly StoredPoint[]): void;
  /** Returns the points from `since` on (seconds since the epoch), oldest first. */
  since(request: { instanceId: string; stepSeconds: number; since: number }): UsagePoint[];
  /** Removes the points of a step before `before` (seconds since the epoch). */
  removeOlder(stepSeconds: number, before: number): void;
  removeAll(instanceId: string): void;
}

export function createUsageTable(database: DatabaseSync): UsageTable {
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
      inTransaction(database, () => {
        for (const { instanceId, stepSeconds, point } of points) {
          const { at, cpuSum, cpuCount, memorySum, memoryCount, tickTimeSum, tickTimeCount, players } = point;
          const sums = [cpuSum, cpuCount, memorySum, memoryCount, tickTimeSum, tickTimeCount];
          save.run(instanceId, stepSeconds, at, ...sums, players);
        }
      });
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
