import type { InstanceRuntime } from '../../shared/domain/instance/runtime.ts';

/** The observations within one step of time: sums with their counts, because some stats may be unknown at times. */
export interface UsagePoint {
  /** When the step begins, seconds since the epoch; a multiple of its length. */
  at: number;
  cpuSum: number;
  cpuCount: number;
  memorySum: number;
  memoryCount: number;
  tickTimeSum: number;
  tickTimeCount: number;
  /** The most players at once; `null` if unknown. */
  players: number | null;
  /** The least free disk space, bytes; `null` if unknown. */
  diskFree: number | null;
}

/** Returns an empty point for the step of `stepSeconds` around `atMs`. */
export function emptyPoint(atMs: number, stepSeconds: number): UsagePoint {
  const at = Math.floor(atMs / 1000 / stepSeconds) * stepSeconds;
  const sums = { cpuSum: 0, cpuCount: 0, memorySum: 0, memoryCount: 0, tickTimeSum: 0, tickTimeCount: 0 };
  return { at, ...sums, players: null, diskFree: null };
}

/** Returns the point with one more observation. */
export function withObservation(
  point: UsagePoint,
  { cpuPercent, memoryUsedMb, tickTimeMs, playersOnline, diskFreeBytes }: InstanceRuntime,
): UsagePoint {
  return {
    at: point.at,
    cpuSum: point.cpuSum + (cpuPercent ?? 0),
    cpuCount: point.cpuCount + (cpuPercent === undefined ? 0 : 1),
    memorySum: point.memorySum + (memoryUsedMb ?? 0),
    memoryCount: point.memoryCount + (memoryUsedMb === undefined ? 0 : 1),
    tickTimeSum: point.tickTimeSum + (tickTimeMs ?? 0),
    tickTimeCount: point.tickTimeCount + (tickTimeMs === undefined ? 0 : 1),
    players: playersOnline === undefined ? point.players : Math.max(point.players ?? 0, playersOnline),
    diskFree: leastKnown(point.diskFree, diskFreeBytes),
  };
}

/** Some network drives report more bytes than a number can count, and then SQLite refuses to store or to read them. */
function leastKnown(least: number | null, bytes: number | undefined): number | null {
  return bytes !== undefined && Number.isSafeInteger(bytes) ? Math.min(least ?? bytes, bytes) : least;
}
