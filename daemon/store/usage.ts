import type { DatabaseSync } from 'node:sqlite';
import type { HistoryEvent } from '../../shared/schema/history.ts';
import type { UsagePoint } from '../usage/usage-point.ts';
import { inTransaction } from './transaction.ts';

/** A point with its instance and step. */
export interface StoredPoint {
  instanceId: string;
  stepSeconds: number;
  point: UsagePoint;
}

/** An event with its instance. */
export interface StoredEvent {
  instanceId: string;
  /** Milliseconds since the epoch. */
  at: number;
  kind: HistoryEvent['kind'];
}

/** More are not kept per instance: one that crashes all the time must not fill the disk. */
const MOST_KEPT = 1_000;

/** The resource usage of servers and the events in between, for charts. */
export interface UsageTable {
  /** Writes points in one transaction, replacing those of the same time. */
  save(points: readonly StoredPoint[]): void;
  /** Returns the points from `since` on (seconds since the epoch), oldest first. */
  since(request: { instanceId: string; stepSeconds: number; since: number }): UsagePoint[];
  /** Removes the points of a step before `before` (seconds since the epoch). */
  removeOlder(stepSeconds: number, before: number): void;
  /** Adds an event, unless it is known. Removes the oldest of its instance if there are too many. */
  addEvent(event: StoredEvent): void;
  /** Removes the stops and crashes that were added after the start at `startedAt` (milliseconds since the epoch); none if it is not known. */
  removeEndsAfter(instanceId: string, startedAt: number): void;
  /** Returns the newest events of a time (milliseconds since the epoch, both ends included), newest first. */
  events(request: { instanceId: string; from: number; to: number; limit: number }): StoredEvent[];
  /** Removes the events before `before` (milliseconds since the epoch), except the last start of each instance, which may still run. */
  removeOlderEvents(before: number): void;
  /** Removes points and events. */
  removeAll(instanceId: string): void;
}

export function createUsageTable(database: DatabaseSync): UsageTable {
  const save = database.prepare(
    `INSERT OR REPLACE INTO usage_points
       (instance, step, at, cpu_sum, cpu_count, memory_sum, memory_count, tick_time_sum, tick_time_count, players, disk_free)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const since = database.prepare(
    `SELECT at, cpu_sum, cpu_count, memory_sum, memory_count, tick_time_sum, tick_time_count, players, disk_free
     FROM usage_points WHERE instance = ? AND step = ? AND at >= ? ORDER BY at`,
  );
  const removeOlder = database.prepare('DELETE FROM usage_points WHERE step = ? AND at < ?');
  const removeAll = database.prepare('DELETE FROM usage_points WHERE instance = ?');
  const addEvent = database.prepare(
    `INSERT OR IGNORE INTO usage_events (instance, at, kind, seq)
       SELECT :instance, :at, :kind, coalesce(max(seq), 0) + 1 FROM usage_events WHERE instance = :instance`,
  );
  const dropEvents = database.prepare(
    `DELETE FROM usage_events WHERE instance = ? AND at <
       (SELECT at FROM usage_events WHERE instance = ? ORDER BY at DESC LIMIT 1 OFFSET ?)`,
  );
  const removeEndsAfter = database.prepare(
    `DELETE FROM usage_events WHERE instance = :instance AND kind IN ('stop', 'sleep', 'crash') AND seq >
       (SELECT seq FROM usage_events WHERE instance = :instance AND at = :startedAt AND kind = 'start')`,
  );
  const events = database.prepare(
    'SELECT at, kind FROM usage_events WHERE instance = ? AND at BETWEEN ? AND ? ORDER BY at DESC LIMIT ?',
  );
  const removeOlderEvents = database.prepare(
    `DELETE FROM usage_events WHERE at < ? AND NOT (kind = 'start' AND (instance, seq) IN
       (SELECT instance, max(seq) FROM usage_events WHERE kind = 'start' GROUP BY instance))`,
  );
  const removeEvents = database.prepare('DELETE FROM usage_events WHERE instance = ?');
  return {
    save(points) {
      inTransaction(database, () => {
        for (const { instanceId, stepSeconds, point } of points) {
          const { at, cpuSum, cpuCount, memorySum, memoryCount, tickTimeSum, tickTimeCount, players, diskFree } = point;
          const sums = [cpuSum, cpuCount, memorySum, memoryCount, tickTimeSum, tickTimeCount];
          save.run(instanceId, stepSeconds, at, ...sums, players, diskFree);
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
        diskFree: row.disk_free === null ? null : Number(row.disk_free),
      })),
    removeOlder: (stepSeconds, before) => void removeOlder.run(stepSeconds, before),
    addEvent({ instanceId, at, kind }) {
      addEvent.run({ instance: instanceId, at, kind });
      dropEvents.run(instanceId, instanceId, MOST_KEPT - 1);
    },
    removeEndsAfter: (instanceId, startedAt) => void removeEndsAfter.run({ instance: instanceId, startedAt }),
    events: ({ instanceId, from, to, limit }) =>
      events.all(instanceId, from, to, limit).map((row) => ({
        instanceId,
        at: Number(row.at),
        kind: String(row.kind) as StoredEvent['kind'],
      })),
    removeOlderEvents: (before) => void removeOlderEvents.run(before),
    removeAll(instanceId) {
      removeAll.run(instanceId);
      removeEvents.run(instanceId);
    },
  };
}
