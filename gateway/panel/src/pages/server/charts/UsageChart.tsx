import { Box, type MantineTheme, Text, useComputedColorScheme, useMantineTheme } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import type uPlot from 'uplot';
import { useLanguage } from '../../../text/language.ts';
import { followTouchAndKeys } from './chart-cursor.ts';
import { createUsagePlot, type PlotColours, type PlotScale, plotSize } from './create-usage-plot.ts';
import { formatMoment } from './time-labels.ts';

export interface UsageChartProps extends PlotScale {
  title: string;
  /** Shown while the cursor is on no point. */
  summary: string;
  /** Seconds since the epoch. */
  times: readonly number[];
  /** `null` breaks the line. */
  values: readonly (number | null)[];
  format: (value: number) => string;
  /** Shown instead of a value that is `null`. */
  gap: string;
}

/** A stat over time. The title shows the point under the cursor, which mouse, touch and arrow keys move. */
export function UsageChart(props: UsageChartProps) {
  const { title, summary, times, values, format, minMax, increments, mark, gap } = props;
  const element = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const formatting = useRef(format);
  formatting.current = format;
  const data = useMemo<uPlot.AlignedData>(() => [[...times], [...values]], [times, values]);
  const newest = useRef(data);
  newest.current = data;
  const [index, setIndex] = useState<number | null>(null);
  const { language } = useLanguage();
  const scheme = useComputedColorScheme('dark', { getInitialValueInEffect: false });
  const { colors } = useMantineTheme();
  const colours = useMemo(() => plotColours(colors, scheme), [colors, scheme]);

  useEffect(() => {
    const host = element.current;
    if (!host) return;
    const created = createUsagePlot(host, {
      data: newest.current,
      colours,
      language,
      scale: { minMax, increments, mark },
      format: (value) => formatting.current(value),
      onCursor: setIndex,
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

  // Updates the chart in place, so that the cursor stays.
  useEffect(() => {
    if (chart.current && chart.current.data !== data) chart.current.setData(data);
  }, [data]);

  const time = index === null ? undefined : times[index];
  const value = index === null ? undefined : values[index];
  const shown =
    time === undefined
      ? summary
      : `${formatMoment(language, time)} · ${typeof value === 'number' ? format(value) : gap}`;

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

function plotColours(colors: MantineTheme['colors'], scheme: 'light' | 'dark'): PlotColours {
  const isDark = scheme === 'dark';
  return {
    line: colors.lapis?.[isDark ? 4 : 7] ?? 'blue',
    ink: (isDark ? colors.dark?.[2] : colors.gray?.[6]) ?? 'gray',
    warning: (isDark ? colors.orange?.[5] : colors.orange?.[8]) ?? 'orange',
    grid: (isDark ? colors.dark?.[5] : colors.gray?.[2]) ?? 'gray',
  };
}
