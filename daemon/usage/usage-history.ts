import type { InstanceRuntime } from '../../shared/domain/runtime.ts';
import { HISTORY_RANGES, type History, type HistoryPoint, type HistoryRange } from '../../shared/schema/history.ts';
import type { StoredPoint, UsageTable } from '../store/usage.ts';
import { emptyPoint, type UsagePoint, withObservation } from './usage-point.ts';

const RANGES = Object.values(HISTORY_RANGES);

/** What running servers used over the last week, in steps that get longer with age: at most 1,056 points per server. */
export interface UsageHistory {
  /** Takes up what was observed at `now` (milliseconds since the epoch) of a server that runs. */
  observe(instanceId: string, runtime: InstanceRuntime, now: number): void;
  /** The points of a range that ends at `now`, those that are not on disk yet included. */
  read(request: { instanceId: string; range: HistoryRange }, now: number): History;
  /** Brings to disk what has come since the last time, and lets go of what is too old. */
  flush(now: number): void;
  forget(instanceId: string): void;
}

/**
 * Points are kept in memory between two flushes, so that charts cost the disk one write in minutes: what a crash takes away is a few
 * points of a chart.
 */
export function createUsageHistory(table: UsageTable): UsageHistory {
  /** By instance, step and time: the points that the disk does not have, or not whole. */
  const unsaved = new Map<string, StoredPoint>();

  function pointOf(instanceId: string, stepSeconds: number, now: number): StoredPoint {
    const point = emptyPoint(now, stepSeconds);
    const known = unsaved.get(keyOf(instanceId, stepSeconds, point.at));
    if (known) return known;
    // Begun before the last flush, or by the daemon before this one.
    const begun = table.since({ instanceId, stepSeconds, since: point.at })[0];
    return { instanceId, stepSeconds, point: begun?.at === point.at ? begun : point };
  }

  return {
    observe(instanceId, runtime, now) {
      for (const { stepSeconds } of RANGES) {
        const { point } = pointOf(instanceId, stepSeconds, now);
        const stored = { instanceId, stepSeconds, point: withObservation(point, runtime) };
        unsaved.set(keyOf(instanceId, stepSeconds, point.at), stored);
      }
    },
    read({ instanceId, range }, now) {
      const { spanSeconds, stepSeconds } = HISTORY_RANGES[range];
      const since = Math.floor(now / 1000) - spanSeconds;
      const points = new Map(table.since({ instanceId, stepSeconds, since }).map((point) => [point.at, point]));
      for (const stored of unsaved.values()) {
        if (stored.instanceId === instanceId && stored.stepSeconds === stepSeconds && stored.point.at >= since)
          points.set(stored.point.at, stored.point);
      }
      // Points from the future were taken before the clock was set back.
      const past = [...points.values()].filter(({ at }) => at * 1000 <= now);
      const inOrder = past.sort((a, b) => a.at - b.at);
      return { range, stepSeconds, points: inOrder.map(toPublic) };
    },
    flush(now) {
      if (unsaved.size > 0) table.save([...unsaved.values()]);
      unsaved.clear();
      for (const { spanSeconds, stepSeconds } of RANGES)
        table.removeOlder(stepSeconds, Math.floor(now / 1000) - spanSeconds);
    },
    forget(instanceId) {
      for (const [key, stored] of unsaved) if (stored.instanceId === instanceId) unsaved.delete(key);
      table.removeAll(instanceId);
    },
  };
}

function keyOf(instanceId: string, stepSeconds: number, at: number): string {
  return `${instanceId} ${stepSeconds} ${at}`;
}

function toPublic(point: UsagePoint): HistoryPoint {
  const { at, cpuSum, cpuCount, memorySum, memoryCount, tickTimeSum, tickTimeCount, players } = point;
  return {
    at: new Date(at * 1000).toISOString(),
    ...(cpuCount > 0 && { cpuPercent: Math.round((cpuSum / cpuCount) * 10) / 10 }),
    ...(memoryCount > 0 && { memoryUsedMb: Math.round(memorySum / memoryCount) }),
    ...(tickTimeCount > 0 && { tickTimeMs: Math.round((tickTimeSum / tickTimeCount) * 10) / 10 }),
    ...(players !== null && { playersOnline: players }),
  };
}
