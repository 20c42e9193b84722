import { Box, Text, useComputedColorScheme, useMantineTheme } from '@mantine/core';
import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { useLanguage } from '../../../text/language.ts';
import { axisSize } from './axis-size.ts';
import { markLine } from './mark-line.ts';
import { timeLabels } from './time-labels.ts';

const HEIGHT = 160;
/** For one line of labels below, and for half of the last one on the right. CSS pixels. */
const TIME_AXIS_HEIGHT = 32;
const TIME_LABEL_WIDTH = 64;
const PADDING: uPlot.Padding = [8, TIME_LABEL_WIDTH / 3, 0, 0];

export interface UsageChartProps {
  title: string;
  /** What the newest and the highest value are, for those who cannot see the line. */
  summary: string;
  /** Seconds since the epoch; a `null` value breaks the line. */
  times: readonly number[];
  values: readonly (number | null)[];
  format: (value: number) => string;
  /** What the axis reaches at least. */
  atLeast: number;
  /** Steps that the axis may have; absent: 1, 2 and 5 and their tenfolds. */
  increments?: readonly number[];
  /** A value beyond which something is wrong, marked by a dashed line. */
  mark?: number;
}

/** One figure over time. */
export function UsageChart({ title, summary, times, values, format, atLeast, increments, mark }: UsageChartProps) {
  const element = useRef<HTMLDivElement>(null);
  const formatting = useRef(format);
  formatting.current = format;
  const { language } = useLanguage();
  const scheme = useComputedColorScheme('dark', { getInitialValueInEffect: false });
  const { colors } = useMantineTheme();
  const line = colors.moss?.[scheme === 'dark' ? 5 : 7] ?? 'green';
  const ink = (scheme === 'dark' ? colors.dark?.[2] : colors.gray?.[6]) ?? 'gray';
  const warning = (scheme === 'dark' ? colors.orange?.[5] : colors.orange?.[8]) ?? 'orange';
  const grid = (scheme === 'dark' ? colors.dark?.[5] : colors.gray?.[2]) ?? 'gray';

  useEffect(() => {
    if (!element.current) return;
    const host = element.current;
    const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
    const chart = new uPlot(
      {
        width: host.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { y: false },
        scales: { y: { range: (_chart, _low, high) => [0, Math.max(atLeast, (high ?? 0) * 1.1)] } },
        padding: PADDING,
        axes: [
          { ...axis, size: TIME_AXIS_HEIGHT, space: TIME_LABEL_WIDTH, values: timeLabels(language) },
          {
            ...axis,
            size: axisSize,
            ...(increments && { incrs: [...increments] }),
            values: (_chart, ticks) => ticks.map((tick) => formatting.current(tick)),
          },
        ],
        plugins: mark === undefined ? [] : [markLine(mark, warning)],
        series: [{}, { stroke: line, width: 1.5, fill: `${line}22`, points: { show: false } }],
      },
      [[...times], [...values]],
      host,
    );
    const observer = new ResizeObserver(() => chart.setSize({ width: host.clientWidth, height: HEIGHT }));
    observer.observe(host);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [times, values, line, ink, grid, warning, atLeast, increments, mark, language]);

  return (
    <Box component="figure" m={0}>
      <Text component="figcaption" size="sm" mb={4}>
        <Text span fw={600} size="sm">
          {title}
        </Text>{' '}
        <Text span c="dimmed" size="sm">
          {summary}
        </Text>
      </Text>
      <div ref={element} aria-hidden="true" />
    </Box>
  );
}
