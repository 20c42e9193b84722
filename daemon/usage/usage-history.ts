import type { InstanceRuntime } from '../../shared/domain/instance/runtime.ts';
import {
  HISTORY_RANGES,
  type History,
  type HistoryEvent,
  type HistoryPoint,
  type HistoryRange,
} from '../../shared/schema/history.ts';
import type { StoredEvent, StoredPoint, UsageTable } from '../store/usage.ts';
import { emptyPoint, type UsagePoint, withObservation } from './usage-point.ts';

const RANGES = Object.values(HISTORY_RANGES);
const LONGEST_MS = Math.max(...RANGES.map(({ spanSeconds }) => spanSeconds)) * 1_000;
/** In one answer. A chart cannot show more. */
const MOST_RETURNED = 200;

/**
 * The resource usage of running servers over the last week, in steps that get longer with age: at most 1,056 points per server. And what
 * happened to servers in that time.
 */
export interface UsageHistory {
  /** Adds an observation of a running server at `now` (milliseconds since the epoch). */
  observe(instanceId: string, runtime: InstanceRuntime, now: number): void;
  /**
   * Adds an event, unless it is known. It is on disk when this returns. A start that is known withdraws the ends recorded since then: its
   * supervisor was lost, but the game goes on.
   */
  record(event: StoredEvent): void;
  /** Returns the points and events of a range that ends at `now`, including those not on disk yet. */
  read(request: { instanceId: string; range: HistoryRange }, now: number): History;
  /** Writes new points to disk and removes old points and events. */
  flush(now: number): void;
  forget(instanceId: string): void;
}

/**
 * Keeps points in memory between flushes, so that the disk is written only once in a few minutes. A crash loses a few points of a chart.
 */
export function createUsageHistory(table: UsageTable): UsageHistory {
  /** By instance, step and time: points that are not on disk, or not complete there. */
  const unsaved = new Map<string, StoredPoint>();

  function pointOf(instanceId: string, stepSeconds: number, now: number): StoredPoint {
    const point = emptyPoint(now, stepSeconds);
    const known = unsaved.get(keyOf(instanceId, stepSeconds, point.at));
    if (known) return known;
    // Begun before the last flush, or by an earlier daemon.
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
    record(event) {
      const { instanceId, at, kind } = event;
      if (kind === 'start') table.removeEndsAfter(instanceId, at);
      table.addEvent(event);
    },
    read({ instanceId, range }, now) {
      const { spanSeconds, stepSeconds } = HISTORY_RANGES[range];
      const since = Math.floor(now / 1000) - spanSeconds;
      const points = new Map(table.since({ instanceId, stepSeconds, since }).map((point) => [point.at, point]));
      for (const stored of unsaved.values()) {
        if (stored.instanceId === instanceId && stored.stepSeconds === stepSeconds && stored.point.at >= since)
          points.set(stored.point.at, stored.point);
      }
      // The clock may have been set back since.
      const past = [...points.values()].filter(({ at }) => at * 1000 <= now);
      const inOrder = past.sort((a, b) => a.at - b.at);
      const events = table.events({ instanceId, from: since * 1000, to: now, limit: MOST_RETURNED });
      return {
        range,
        stepSeconds,
        until: new Date(now).toISOString(),
        points: inOrder.map(toPublic),
        events: events.reverse().map(toPublicEvent),
      };
    },
    flush(now) {
      if (unsaved.size > 0) table.save([...unsaved.values()]);
      unsaved.clear();
      for (const { spanSeconds, stepSeconds } of RANGES)
        table.removeOlder(stepSeconds, Math.floor(now / 1000) - spanSeconds);
      table.removeOlderEvents(now - LONGEST_MS);
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

function toPublicEvent({ at, kind }: StoredEvent): HistoryEvent {
  return { at: new Date(at).toISOString(), kind };
}

function toPublic(point: UsagePoint): HistoryPoint {
  const { at, cpuSum, cpuCount, memorySum, memoryCount, tickTimeSum, tickTimeCount, players, diskFree } = point;
  return {
    at: new Date(at * 1000).toISOString(),
    ...(cpuCount > 0 && { cpuPercent: Math.round((cpuSum / cpuCount) * 10) / 10 }),
    ...(memoryCount > 0 && { memoryUsedMb: Math.round(memorySum / memoryCount) }),
    ...(tickTimeCount > 0 && { tickTimeMs: Math.round((tickTimeSum / tickTimeCount) * 10) / 10 }),
    ...(players !== null && { playersOnline: players }),
    ...(diskFree !== null && { diskFreeBytes: diskFree }),
  };
}
