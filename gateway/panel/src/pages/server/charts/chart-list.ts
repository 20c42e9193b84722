import type { Schemas } from '../../../api/transport/client.ts';
import type { Quantities } from '../../../text/quantities.ts';
import type { Words } from '../../../text/section.ts';
import { extremesOf, type Stat, TICK_MS } from './chart-series.ts';
import type { chartsText } from './charts-text.ts';
import type { UsageChartProps } from './UsageChart.tsx';

/** Powers of two, for labels such as 512 MB and 1 GB. MiB. */
const MEMORY_STEPS = Array.from({ length: 20 }, (_, power) => 2 ** power);
const GIGABYTE = 1_000_000_000;

export type Chart = Pick<UsageChartProps, 'title' | 'format' | 'minMax' | 'increments' | 'mark'> & {
  stat: Stat;
  /** The value that the summary has besides the newest one. */
  extreme: 'peak' | 'lowest';
};

type ChartWords = Words<keyof (typeof chartsText)['en']>;

/** Returns the charts of a server, in their order. A full heap makes ticks late, so these two come one after the other. */
export function chartsOf(
  { memoryMb, maxPlayers }: Pick<Schemas['Instance'], 'memoryMb' | 'maxPlayers'>,
  t: ChartWords,
  { percent, memory, milliseconds, number, size }: Quantities,
): Chart[] {
  const extreme = 'peak';
  return [
    {
      stat: 'memoryUsedMb',
      title: t('memory'),
      format: memory,
      minMax: memoryMb ?? 1_024,
      increments: MEMORY_STEPS,
      extreme,
    },
    { stat: 'tickTimeMs', title: t('tickTime'), format: milliseconds, minMax: 60, mark: TICK_MS, extreme },
    { stat: 'cpuPercent', title: t('cpu'), format: percent, minMax: 100, extreme },
    { stat: 'playersOnline', title: t('players'), format: number, minMax: maxPlayers ?? 10, extreme },
    { stat: 'diskFreeBytes', title: t('disk'), format: size, minMax: GIGABYTE, extreme: 'lowest' },
  ];
}

/** Returns the text with the newest value and the extreme; '' if no value is known. */
export function summaryOf({ extreme, format }: Chart, values: readonly (number | null)[], t: ChartWords): string {
  const extremes = extremesOf(values);
  if (!extremes) return '';
  const { newest, highest, lowest } = extremes;
  return t(extreme, { now: format(newest), peak: format(highest), lowest: format(lowest) });
}
