import { Box, Paper, Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type HistoryRange, historyQuery } from '../../../api/history.ts';
import { useQuantities } from '../../../text/quantities.ts';
import { useWords } from '../../../text/section.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import type { TabProps } from '../tab-props.ts';
import { ChartsToolbar } from './ChartsToolbar.tsx';
import { gapsOf } from './chart-gaps.ts';
import { chartsOf, summaryOf } from './chart-list.ts';
import { toSeries } from './chart-series.ts';
import { chartsText } from './charts-text.ts';
import { EventList } from './EventList.tsx';
import { UsageChart } from './UsageChart.tsx';
import { wholeSpan } from './zoom/chart-zoom.ts';
import { useZoom } from './zoom/use-zoom.ts';

/** The finest range gets a new point this often. Milliseconds. */
const REFRESH_MS = 10_000;

export function ChartsTab({ instance }: TabProps) {
  const t = useWords(chartsText);
  const quantities = useQuantities();
  const [range, setRange] = useState<HistoryRange>('1h');
  const answer = useQuery({
    ...historyQuery(instance.id, range),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  const history = useMemo(() => answer.data && { ...answer.data, gaps: gapsOf(answer.data) }, [answer.data]);
  const series = useMemo(() => history && toSeries(history), [history]);
  const zoom = useZoom(history ? wholeSpan(history) : [0, 0], history?.stepSeconds ?? 0);
  const shown = chartsOf(instance, t, quantities).filter(({ stat }) => series?.[stat].some((value) => value !== null));

  return (
    <Box className="page-width" py="md">
      <ChartsToolbar
        range={range}
        onRange={(next) => {
          setRange(next);
          zoom.zoomTo(null);
        }}
        zoom={zoom}
        stats={shown.map(({ stat }) => stat)}
        hasEvents={history !== undefined && history.events.length > 0}
      />
      {answer.isError && !history && <ProblemAlert error={answer.error} onRetry={() => void answer.refetch()} />}
      {answer.isPending && <Skeleton h={220} />}
      {series?.times.length === 0 && (
        <EmptyState picture="columns" title={t('emptyTitle')}>
          {t(instance.status === 'stopped' ? 'empty' : 'emptyRunning')}
        </EmptyState>
      )}
      {history && series && series.times.length > 0 && (
        <Box className="usage-charts" style={{ gridTemplateRows: `repeat(${Math.ceil(shown.length / 2)}, auto)` }}>
          {shown.map(({ stat, extreme, ...chart }) => (
            <Paper key={stat} p="md" miw={0}>
              <UsageChart
                {...chart}
                summary={summaryOf({ stat, extreme, ...chart }, series[stat], t)}
                times={series.times}
                values={series[stat]}
                span={zoom.span}
                onZoom={zoom.zoomTo}
                history={history}
              />
            </Paper>
          ))}
        </Box>
      )}
      {history && <EventList events={history.events} span={zoom.span} />}
    </Box>
  );
}
