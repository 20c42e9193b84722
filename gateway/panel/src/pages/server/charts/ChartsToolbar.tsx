import { Group, SegmentedControl, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { HistoryRange } from '../../../api/history.ts';
import { useQuantities } from '../../../text/quantities.ts';
import { useWords } from '../../../text/section.ts';
import { type Stat, TICK_MS } from './chart-series.ts';
import { chartsText } from './charts-text.ts';
import type { Zoom } from './zoom/use-zoom.ts';
import { ZoomButtons } from './zoom/ZoomButtons.tsx';

const RANGES = ['1h', '24h', '7d'] as const satisfies readonly HistoryRange[];

export interface ChartsToolbarProps {
  range: HistoryRange;
  onRange: (range: HistoryRange) => void;
  zoom: Zoom;
  /** The stats that have a chart. */
  stats: readonly Stat[];
  hasEvents: boolean;
}

/** Chooses the time that the charts show, and explains them. */
export function ChartsToolbar({ range, onRange, zoom, stats, hasEvents }: ChartsToolbarProps) {
  const t = useWords(chartsText);
  const { milliseconds } = useQuantities();
  // A finger moves the cursor instead.
  const canDrag = useMediaQuery('(pointer: fine)', false, { getInitialValueInEffect: false });
  const notes = [
    ...(canDrag && stats.length > 0 ? [t('dragToZoom')] : []),
    t('oneCore'),
    ...(stats.includes('tickTimeMs') ? [t('late', { time: milliseconds(TICK_MS) })] : []),
    ...(stats.includes('diskFreeBytes') ? [t('wholeDisk')] : []),
  ];
  return (
    <>
      <Group mb="xs">
        <SegmentedControl
          aria-label={t('range')}
          value={range}
          onChange={(next) => onRange(next as HistoryRange)}
          data={RANGES.map((value) => ({ value, label: t(value) }))}
        />
        {(stats.length > 0 || hasEvents) && <ZoomButtons zoom={zoom} />}
      </Group>
      <Text size="xs" c="dimmed" mb="md">
        {notes.join(' ')}
      </Text>
    </>
  );
}
