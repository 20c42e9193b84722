import type { InstanceRuntime } from '../../shared/domain/runtime.ts';

/** What was observed within one step of time: sums with their counts, since any of the stats may be unknown at times. */
export interface UsagePoint {
  /** Seconds since the epoch at which the step begins; a multiple of its length. */
  at: number;
  cpuSum: number;
  cpuCount: number;
  memorySum: number;
  memoryCount: number;
  tickTimeSum: number;
  tickTimeCount: number;
  /** The most players at once; `null` while nobody knows. */
  players: number | null;
}

/** The point that stands for the step of `stepSeconds` around `atMs`, still empty. */
export function emptyPoint(atMs: number, stepSeconds: number): UsagePoint {
  const at = Math.floor(atMs / 1000 / stepSeconds) * stepSeconds;
  return { at, cpuSum: 0, cpuCount: 0, memorySum: 0, memoryCount: 0, tickTimeSum: 0, tickTimeCount: 0, players: null };
}

/** The point with one more observation. */
export function withObservation(
  point: UsagePoint,
  { cpuPercent, memoryUsedMb, tickTimeMs, playersOnline }: InstanceRuntime,
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
  };
}
