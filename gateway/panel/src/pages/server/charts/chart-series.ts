import type { Schemas } from '../../../api/transport/client.ts';

type History = Schemas['History'];
type Point = History['points'][number];
export type Stat = 'cpuPercent' | 'memoryUsedMb' | 'tickTimeMs' | 'playersOnline';

/** Time that a tick may take at 20 ticks per second, which is Minecraft's rate. */
export const TICK_MS = 50;

/** Minecraft's rate. */
export const TICKS_PER_SECOND = 1_000 / TICK_MS;

/** Ten minutes of points at 10 s. */
const RECENT_POINTS = 60;

/** Times in seconds since the epoch, with one value per stat; `null`: no value at that time. */
export type ChartSeries = { times: number[] } & Record<Stat, (number | null)[]>;

/** Returns a history as uPlot needs it, with a gap wherever points are missing, because the server did not run. */
export function toSeries({ points, stepSeconds }: Pick<History, 'points' | 'stepSeconds'>): ChartSeries {
  const series: ChartSeries = { times: [], cpuPercent: [], memoryUsedMb: [], tickTimeMs: [], playersOnline: [] };
  const add = (time: number, point: Partial<Record<Stat, number>>) => {
    series.times.push(time);
    series.cpuPercent.push(point.cpuPercent ?? null);
    series.memoryUsedMb.push(point.memoryUsedMb ?? null);
    series.tickTimeMs.push(point.tickTimeMs ?? null);
    series.playersOnline.push(point.playersOnline ?? null);
  };
  let before: number | undefined;
  for (const point of points) {
    const time = Date.parse(point.at) / 1000;
    if (before !== undefined && time - before > stepSeconds * 1.5) add(before + stepSeconds, {});
    add(time, point);
    before = time;
  }
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

/** Returns the newest known and the highest value; `undefined` if there is none. */
export function newestAndPeak(values: readonly (number | null)[]): { newest: number; peak: number } | undefined {
  const known = values.filter((value) => value !== null);
  const newest = known.at(-1);
  return newest === undefined ? undefined : { newest, peak: Math.max(...known) };
}
