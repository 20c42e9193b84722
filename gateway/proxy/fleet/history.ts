import { type Database, toSeconds } from '../store/database.ts';
import { HOUR_S } from './telemetry/rows.ts';

export const HISTORY_RANGES = ['48h', '90d'] as const;
export type HistoryRange = (typeof HISTORY_RANGES)[number];
const STEP_S = { '48h': 600, '90d': HOUR_S } as const;
const LENGTH_S = { '48h': 48 * HOUR_S, '90d': 90 * 24 * HOUR_S } as const;

/** Averages over one step. */
export interface HistoryPoint {
  /** The beginning of the step. */
  at: string;
  players: number;
  playersMax: number;
  cpuPercent: number;
  memoryUsedBytes: number;
}

export interface FleetHistory {
  from: string;
  to: string;
  stepSeconds: number;
  /** Oldest first. Steps without a report are missing. */
  points: HistoryPoint[];
}

/** Reads what a daemon has reported. `now` in milliseconds. */
export async function readHistory(
  database: Database,
  { daemonId, range, now }: { daemonId: string; range: HistoryRange; now: number },
): Promise<FleetHistory> {
  const to = toSeconds(now);
  const from = to - LENGTH_S[range];
  const stepSeconds = STEP_S[range];
  const points = await (range === '48h' ? samplesSince : hoursSince)(database, daemonId, from);
  return { from: isoOf(from), to: isoOf(to), stepSeconds, points };
}

async function samplesSince(database: Database, daemonId: string, from: number): Promise<HistoryPoint[]> {
  const rows = await database
    .selectFrom('telemetry_sample')
    .selectAll()
    .where('daemon_id', '=', daemonId)
    .where('at', '>=', from)
    .orderBy('at')
    .execute();
  const step = STEP_S['48h'];
  const steps = Map.groupBy(rows, ({ at }) => at - (at % step));
  return Array.from(steps, ([at, inStep]) => ({
    at: isoOf(at),
    players: mean(inStep.map(({ players }) => players)),
    playersMax: Math.max(...inStep.map(({ players }) => players)),
    cpuPercent: mean(inStep.map(({ cpu_percent }) => cpu_percent)),
    memoryUsedBytes: Math.round(mean(inStep.map(({ memory_used }) => memory_used))),
  }));
}

async function hoursSince(database: Database, daemonId: string, from: number): Promise<HistoryPoint[]> {
  const rows = await database
    .selectFrom('telemetry_hour')
    .selectAll()
    .where('daemon_id', '=', daemonId)
    .where('hour', '>=', from)
    .orderBy('hour')
    .execute();
  return rows.map(({ hour, samples, players_sum, players_max, cpu_sum, memory_sum }) => ({
    at: isoOf(hour),
    players: players_sum / samples,
    playersMax: players_max,
    cpuPercent: cpu_sum / samples,
    memoryUsedBytes: Math.round(memory_sum / samples),
  }));
}

function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}

function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
