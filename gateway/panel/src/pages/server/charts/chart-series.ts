import { type Gap, gapAt } from './chart-gaps.ts';
import { type History, secondsOf } from './chart-history.ts';

type Point = History['points'][number];
export type Stat = 'cpuPercent' | 'memoryUsedMb' | 'tickTimeMs' | 'playersOnline' | 'diskFreeBytes';

/** Time that a tick may take at 20 ticks per second, which is Minecraft's rate. */
export const TICK_MS = 50;

/** Minecraft's rate. */
export const TICKS_PER_SECOND = 1_000 / TICK_MS;

/** Ten minutes of points at 10 s. */
const RECENT_POINTS = 60;

/** Times in seconds since the epoch, with one value per stat; `null`: no value at that time. */
export type ChartSeries = { times: number[] } & Record<Stat, (number | null)[]>;

/** Returns a history as uPlot needs it. Empty points break the line at both ends of a gap, and lead to the events inside. */
export function toSeries({
  points,
  stepSeconds,
  events,
  gaps,
}: Omit<History, 'range' | 'until'> & { gaps: readonly Gap[] }): ChartSeries {
  const series: ChartSeries = {
    times: [],
    ...{ cpuPercent: [], memoryUsedMb: [], tickTimeMs: [], playersOnline: [], diskFreeBytes: [] },
  };
  const add = (time: number, point: Partial<Record<Stat, number>>) => {
    series.times.push(time);
    series.cpuPercent.push(point.cpuPercent ?? null);
    series.memoryUsedMb.push(point.memoryUsedMb ?? null);
    series.tickTimeMs.push(point.tickTimeMs ?? null);
    series.playersOnline.push(point.playersOnline ?? null);
    series.diskFreeBytes.push(point.diskFreeBytes ?? null);
  };
  const ends = gaps.flatMap(({ from, to }) => [from, Math.max(from, to - stepSeconds)]);
  const inside = events.map(({ at }) => secondsOf(at)).filter((time) => gapAt(gaps, time));
  const breaks = new Set([...ends, ...inside]);
  const rows: { time: number; point: Partial<Point> }[] = points.map((point) => ({ time: secondsOf(point.at), point }));
  for (const time of breaks) rows.push({ time, point: {} });
  for (const { time, point } of rows.sort((one, other) => one.time - other.time)) add(time, point);
  return series;
}

/** Returns the last ten minutes of a stat, and the current value after them. */
export function recentValues(points: readonly Point[], stat: Stat, current: number): (number | null)[] {
  return [...points.slice(-RECENT_POINTS).map((point) => point[stat] ?? null), current];
}

/** Returns the last ten minutes of ticks per second, which follow from the time that a tick takes, and the current value after them. */
export function recentTps(points: readonly Point[], current: number): (number | null)[] {
  const before = points.slice(-RECENT_POINTS).map(({ tickTimeMs }) => tickTimeMs);
  return [...before.map((ms) => (ms === undefined ? null : Math.min(TICKS_PER_SECOND, 1_000 / ms))), current];
}

/** The newest known, the highest and the lowest value of a series. */
export interface Extremes {
  newest: number;
  highest: number;
  lowest: number;
}

/** Returns `undefined` if no value is known. */
export function extremesOf(values: readonly (number | null)[]): Extremes | undefined {
  const known = values.filter((value) => value !== null);
  const newest = known.at(-1);
  return newest === undefined ? undefined : { newest, highest: Math.max(...known), lowest: Math.min(...known) };
}
