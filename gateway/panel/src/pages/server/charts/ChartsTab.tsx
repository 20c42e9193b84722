import { Box, Group, Paper, SegmentedControl, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type HistoryRange, historyQuery } from '../../../api/history.ts';
import { useQuantities } from '../../../text/quantities.ts';
import { section, useWords } from '../../../text/section.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import type { TabProps } from '../tab-props.ts';
import { type Figure, TICK_MS, toSeries } from './chart-series.ts';
import { UsageChart, type UsageChartProps } from './UsageChart.tsx';

const text = section({
  en: {
    range: 'Time',
    '1h': 'Hour',
    '24h': 'Day',
    '7d': 'Week',
    cpu: 'CPU',
    memory: 'RAM',
    tickTime: 'Tick time',
    players: 'Players',
    summary: 'now {now}, at most {most}',
    gap: 'nothing on record',
    emptyTitle: 'Nothing to show yet',
    empty: 'Once the server runs, this is where its CPU, memory and players are drawn.',
    oneCore: '100% is one core.',
    late: 'Dashed: {time}, all that a tick has before the server lags.',
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
    summary: 'jetzt {now}, höchstens {most}',
    gap: 'nichts aufgezeichnet',
    emptyTitle: 'Noch nichts zu sehen',
    empty: 'Sobald der Server läuft, sehen Sie hier CPU, Arbeitsspeicher und Spieler.',
    oneCore: '100 % sind ein Kern.',
    late: 'Gestrichelt: {time}, mehr hat ein Tick nicht, bevor der Server hinterherhinkt.',
  },
  zh: {
    range: '时间',
    '1h': '小时',
    '24h': '天',
    '7d': '周',
    cpu: 'CPU',
    memory: '内存',
    tickTime: '刻耗时',
    players: '玩家',
    summary: '当前 {now}，最高 {most}',
    gap: '无记录',
    emptyTitle: '暂无数据',
    empty: '服务器运行后，这里会显示 CPU、内存和玩家数。',
    oneCore: '100% 为一个核心。',
    late: '虚线：{time}，超过即为卡顿。',
  },
});

const RANGES = ['1h', '24h', '7d'] as const satisfies readonly HistoryRange[];
/** As often as the finest range gets a new point. Milliseconds. */
const REFRESH_MS = 10_000;
/** Memory comes in powers of two: 512 MB, 1 GB, 1.5 GB. MiB. */
const MEMORY_STEPS = Array.from({ length: 20 }, (_, power) => 2 ** power);

/** What makes one chart of one figure. */
type Chart = { figure: Figure } & Pick<UsageChartProps, 'title' | 'format' | 'atLeast' | 'increments' | 'mark'>;

/** CPU, memory, tick time and players over the last hour, day and week. */
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
    { figure: 'cpuPercent', title: t('cpu'), format: quantities.percent, atLeast: 100 },
    {
      figure: 'memoryUsedMb',
      title: t('memory'),
      format: quantities.memory,
      atLeast: instance.memoryMb ?? 1_024,
      increments: MEMORY_STEPS,
    },
    { figure: 'tickTimeMs', title: t('tickTime'), format: quantities.milliseconds, atLeast: 60, mark: TICK_MS },
    { figure: 'playersOnline', title: t('players'), format: quantities.number, atLeast: instance.maxPlayers ?? 10 },
  ];
  const shown = charts.filter(({ figure }) => series?.[figure].some((value) => value !== null));

  return (
    <Box p="md">
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
      {series?.times.length === 0 && <EmptyState title={t('emptyTitle')}>{t('empty')}</EmptyState>}
      {series && series.times.length > 0 && (
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          {shown.map(({ figure, format, ...chart }) => (
            <Paper key={figure} p="md" miw={0}>
              <UsageChart
                {...chart}
                summary={summaryOf(series[figure], format, (values) => t('summary', values))}
                times={series.times}
                values={series[figure]}
                format={format}
                gap={t('gap')}
              />
            </Paper>
          ))}
        </SimpleGrid>
      )}
    </Box>
  );
}

function summaryOf(
  values: readonly (number | null)[],
  format: (value: number) => string,
  say: (values: { now: string; most: string }) => string,
): string {
  const known = values.filter((value) => value !== null);
  const now = known.at(-1);
  return now === undefined ? '' : say({ now: format(now), most: format(Math.max(...known)) });
}
