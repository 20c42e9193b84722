import { Box, type MantineTheme, Text, useComputedColorScheme, useMantineTheme } from '@mantine/core';
import { useMemo } from 'react';
import type uPlot from 'uplot';
import { useLanguage } from '../../../text/language.ts';
import { EVENT_SIGNS } from './chart-events.ts';
import type { GapReason } from './chart-gaps.ts';
import { secondsOf } from './chart-history.ts';
import { chartsText } from './charts-text.ts';
import type { Overlay } from './plot/chart-overlay.ts';
import type { PlotColours, PlotScale } from './plot/create-usage-plot.ts';
import { type ChartHistory, pointText } from './plot/point-text.ts';
import { useUsagePlot } from './plot/use-usage-plot.ts';
import type { Span } from './zoom/chart-zoom.ts';

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
  history: ChartHistory;
}

/** A stat over time. The title shows the point under the cursor, which mouse, touch and arrow keys move in all charts at once. */
export function UsageChart(props: UsageChartProps) {
  const { title, summary, times, values, history, format, ...plot } = props;
  const data = useMemo<uPlot.AlignedData>(() => [[...times], [...values]], [times, values]);
  const { language } = useLanguage();
  const words = chartsText[language];
  const overlay = useMemo(() => overlayOf(history, words), [history, words]);
  const scheme = useComputedColorScheme('dark', { getInitialValueInEffect: false });
  const { colors } = useMantineTheme();
  const colours = useMemo(() => plotColours(colors, scheme), [colors, scheme]);
  const { element, index } = useUsagePlot({ ...plot, format, data, overlay, colours, language });

  const time = index === null ? undefined : times[index];
  const value = index === null ? null : (values[index] ?? null);
  const shown = time === undefined ? summary : pointText({ time, value, format }, history, language);

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

function overlayOf({ gaps, events }: ChartHistory, words: Readonly<Record<GapReason, string>>): Overlay {
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
