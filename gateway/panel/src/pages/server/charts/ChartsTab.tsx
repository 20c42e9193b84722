import { Box, Group, Paper, SegmentedControl, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type HistoryRange, historyQuery } from '../../../api/history.ts';
import { useQuantities } from '../../../text/quantities.ts';
import { section, useWords } from '../../../text/section.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import type { TabProps } from '../tab-props.ts';
import { newestAndPeak, type Stat, TICK_MS, toSeries } from './chart-series.ts';
import { UsageChart, type UsageChartProps } from './UsageChart.tsx';

const text = section({
  en: {
    range: 'Time range',
    '1h': 'Hour',
    '24h': 'Day',
    '7d': 'Week',
    cpu: 'CPU',
    memory: 'RAM',
    tickTime: 'Tick time',
    players: 'Players',
    summary: 'now {now}, peak {peak}',
    gap: 'no data',
    emptyTitle: 'No data yet',
    empty: 'Start the server to see its CPU, memory and players here.',
    oneCore: '100% is one CPU core.',
    late: 'Dashed: {time} per tick. Above it, the server lags.',
  },
  de: {
    range: 'Zeitraum',
    '1h': 'Stunde',
    '24h': 'Tag',
    '7d': 'Woche',
    cpu: 'CPU',
    memory: 'RAM',
    tickTime: 'Tickdauer',
    players: 'Spieler',
    summary: 'jetzt {now}, Spitze {peak}',
    gap: 'keine Daten',
    emptyTitle: 'Noch keine Daten',
    empty: 'Starten Sie den Server, um hier CPU, Arbeitsspeicher und Spieler zu sehen.',
    oneCore: '100 % sind ein CPU-Kern.',
    late: 'Gestrichelt: {time} pro Tick. Darüber hinkt der Server hinterher.',
  },
  zh: {
    range: '时间范围',
    '1h': '小时',
    '24h': '天',
    '7d': '周',
    cpu: 'CPU',
    memory: '内存',
    tickTime: '刻耗时',
    players: '玩家',
    summary: '当前 {now}，峰值 {peak}',
    gap: '无数据',
    emptyTitle: '暂无数据',
    empty: '启动服务器后，这里会显示 CPU、内存和玩家数。',
    oneCore: '100% 为一个 CPU 核心。',
    late: '虚线：每刻 {time}，超过则服务器卡顿。',
  },
});

const RANGES = ['1h', '24h', '7d'] as const satisfies readonly HistoryRange[];
/** The finest range gets a new point this often. Milliseconds. */
const REFRESH_MS = 10_000;
/** Powers of two, for labels such as 512 MB and 1 GB. MiB. */
const MEMORY_STEPS = Array.from({ length: 20 }, (_, power) => 2 ** power);

type Chart = { stat: Stat } & Pick<UsageChartProps, 'title' | 'format' | 'minMax' | 'increments' | 'mark'>;

export function ChartsTab({ instance }: TabProps) {
  const t = useWords(text);
  const quantities = useQuantities();
  const [range, setRange] = useState<HistoryRange>('1h');
  const history = useQuery({
    ...historyQuery(instance.id, range),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  const series = useMemo(() => history.data && toSeries(history.data), [history.data]);
  const charts: Chart[] = [
    { stat: 'cpuPercent', title: t('cpu'), format: quantities.percent, minMax: 100 },
    {
      stat: 'memoryUsedMb',
      title: t('memory'),
      format: quantities.memory,
      minMax: instance.memoryMb ?? 1_024,
      increments: MEMORY_STEPS,
    },
    { stat: 'tickTimeMs', title: t('tickTime'), format: quantities.milliseconds, minMax: 60, mark: TICK_MS },
    { stat: 'playersOnline', title: t('players'), format: quantities.number, minMax: instance.maxPlayers ?? 10 },
  ];
  const shown = charts.filter(({ stat }) => series?.[stat].some((value) => value !== null));
  const summaryOf = (values: readonly (number | null)[], format: (value: number) => string) => {
    const range = newestAndPeak(values);
    return range ? t('summary', { now: format(range.newest), peak: format(range.peak) }) : '';
  };

  return (
    <Box p="md" maw="var(--content-width)">
      <Group justify="space-between" mb="md">
        <SegmentedControl
          aria-label={t('range')}
          value={range}
          onChange={(next) => setRange(next as HistoryRange)}
          data={RANGES.map((value) => ({ value, label: t(value) }))}
        />
        <Text size="xs" c="dimmed">
          {t('oneCore')}
          {shown.some(({ mark }) => mark !== undefined) && ` ${t('late', { time: quantities.milliseconds(TICK_MS) })}`}
        </Text>
      </Group>
      {history.isError && !history.data && (
        <ProblemAlert error={history.error} onRetry={() => void history.refetch()} />
      )}
      {history.isPending && <Skeleton h={220} />}
      {series?.times.length === 0 && (
        <EmptyState picture="columns" title={t('emptyTitle')}>
          {t('empty')}
        </EmptyState>
      )}
      {series && series.times.length > 0 && (
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          {shown.map(({ stat, ...chart }) => (
            <Paper key={stat} p="md" miw={0}>
              <UsageChart
                {...chart}
                summary={summaryOf(series[stat], chart.format)}
                times={series.times}
                values={series[stat]}
                gap={t('gap')}
              />
            </Paper>
          ))}
        </SimpleGrid>
      )}
    </Box>
  );
}
