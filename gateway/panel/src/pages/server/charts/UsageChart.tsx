import { Box, type MantineTheme, Text, useComputedColorScheme, useMantineTheme } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import type uPlot from 'uplot';
import { useLanguage } from '../../../text/language.ts';
import { EVENT_SIGNS, eventsAt } from './chart-events.ts';
import { type Gap, type GapReason, gapAt } from './chart-gaps.ts';
import { type History, secondsOf } from './chart-history.ts';
import { chartsText } from './charts-text.ts';
import { followTouchAndKeys } from './plot/chart-cursor.ts';
import type { Overlay } from './plot/chart-overlay.ts';
import { createUsagePlot, type PlotColours, type PlotScale, plotSize, updatePlot } from './plot/create-usage-plot.ts';
import { formatMoment, formatTime } from './plot/time-labels.ts';
import type { Span } from './zoom/chart-zoom.ts';

/** Events of one point that the title names: the newest. */
const MOST_NAMED = 3;

export interface UsageChartProps extends PlotScale {
  title: string;
  /** Shown while the cursor is on no point. */
  summary: string;
  /** Seconds since the epoch. */
  times: readonly number[];
  /** `null` breaks the line. */
  values: readonly (number | null)[];
  /** The part of the time axis to show. */
  span: Span;
  /** The user selected a part of the time axis; `null`: all of it. */
  onZoom: (span: Span | null) => void;
  format: (value: number) => string;
  /** Explains gaps, and has the events to mark. */
  history: Pick<History, 'stepSeconds' | 'events'> & { gaps: readonly Gap[] };
}

/** A stat over time. The title shows the point under the cursor, which mouse, touch and arrow keys move in all charts at once. */
export function UsageChart(props: UsageChartProps) {
  const { title, summary, times, values, span, onZoom, format, minMax, increments, mark, history } = props;
  const element = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const data = useMemo<uPlot.AlignedData>(() => [[...times], [...values]], [times, values]);
  const { language } = useLanguage();
  const words = chartsText[language];
  const overlay = useMemo(() => overlayOf(history, words), [history, words]);
  const newest = useRef({ data, span, overlay, format, onZoom });
  newest.current = { data, span, overlay, format, onZoom };
  const [index, setIndex] = useState<number | null>(null);
  const scheme = useComputedColorScheme('dark', { getInitialValueInEffect: false });
  const { colors } = useMantineTheme();
  const colours = useMemo(() => plotColours(colors, scheme), [colors, scheme]);

  useEffect(() => {
    const host = element.current;
    if (!host) return;
    const created = createUsagePlot(host, {
      data: newest.current.data,
      span: newest.current.span,
      overlay: () => newest.current.overlay,
      colours,
      language,
      scale: { minMax, increments, mark },
      format: (value) => newest.current.format(value),
      onCursor: setIndex,
      onZoom: (selected) => newest.current.onZoom(selected),
    });
    chart.current = created;
    const observer = new ResizeObserver(() => created.setSize(plotSize(host)));
    observer.observe(host);
    const stopFollowing = followTouchAndKeys(created, host);
    return () => {
      stopFollowing();
      observer.disconnect();
      created.destroy();
      setIndex(null);
    };
  }, [colours, minMax, increments, mark, language]);

  useEffect(() => {
    // The drawing reads the overlay.
    if (chart.current && overlay) updatePlot(chart.current, data, span);
  }, [data, span, overlay]);

  const time = index === null ? undefined : times[index];
  const value = index === null ? undefined : values[index];
  const shown =
    time === undefined
      ? summary
      : [
          formatMoment(language, time),
          typeof value === 'number' ? format(value) : words[gapAt(history.gaps, time)?.reason ?? 'unknown'],
          ...eventsAt(history.events, time, history.stepSeconds)
            .slice(-MOST_NAMED)
            .map(({ at, kind }) => `${EVENT_SIGNS[kind]} ${words[kind]} ${formatTime(language, at)}`),
        ].join(' · ');

  return (
    <Box component="figure" m={0}>
      <Text component="figcaption" size="sm" mb={4}>
        <Text span fw={600} size="sm">
          {title}
        </Text>{' '}
        <Text span c="dimmed" size="sm">
          {shown}
        </Text>
      </Text>
      <Box
        ref={element}
        className="usage-chart"
        role="slider"
        tabIndex={0}
        aria-label={title}
        aria-valuemin={0}
        aria-valuemax={times.length - 1}
        aria-valuenow={index ?? times.length - 1}
        aria-valuetext={shown}
      />
    </Box>
  );
}

function overlayOf({ gaps, events }: UsageChartProps['history'], words: Readonly<Record<GapReason, string>>): Overlay {
  return {
    gaps: gaps.map(({ from, to, reason }) => ({ from, to, label: words[reason] })),
    marks: events.map(({ at, kind }) => ({ at: secondsOf(at), sign: EVENT_SIGNS[kind], isBad: kind === 'crash' })),
  };
}

function plotColours(colors: MantineTheme['colors'], scheme: 'light' | 'dark'): PlotColours {
  const isDark = scheme === 'dark';
  return {
    line: colors.lapis?.[isDark ? 4 : 7] ?? 'blue',
    ink: (isDark ? colors.dark?.[2] : colors.gray?.[6]) ?? 'gray',
    bad: (isDark ? colors.red?.[5] : colors.red?.[8]) ?? 'red',
    warning: (isDark ? colors.orange?.[5] : colors.orange?.[8]) ?? 'orange',
    grid: (isDark ? colors.dark?.[5] : colors.gray?.[2]) ?? 'gray',
  };
}
