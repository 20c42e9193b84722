import type { Schemas } from '../../../api/transport/client.ts';

type History = Schemas['History'];
export type Figure = 'cpuPercent' | 'memoryUsedMb' | 'tickTimeMs' | 'playersOnline';

/** What a tick may take: a server that keeps up has 20 in a second. Milliseconds. */
export const TICK_MS = 50;

/** Times in seconds, and the values of each figure; where the server did not run the values are `null`. */
export interface ChartSeries {
  times: number[];
  cpuPercent: (number | null)[];
  memoryUsedMb: (number | null)[];
  tickTimeMs: (number | null)[];
  playersOnline: (number | null)[];
}

/** A range as uPlot wants it, with a hole wherever more time passed between two points than one step. */
export function toSeries({ points, stepSeconds }: History): ChartSeries {
  const series: ChartSeries = { times: [], cpuPercent: [], memoryUsedMb: [], tickTimeMs: [], playersOnline: [] };
  const add = (time: number, point: Partial<Record<Figure, number>>) => {
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
