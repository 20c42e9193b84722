import { Box, Text, useComputedColorScheme, useMantineTheme } from '@mantine/core';
import 'uplot/dist/uPlot.min.css';
import { useEffect, useMemo, useRef, useState } from 'react';
import uPlot from 'uplot';
import { useLanguage } from '../../../text/language.ts';
import { axisSize } from './axis-size.ts';
import { markLine } from './mark-line.ts';
import { followFingersAndKeys } from './pointing.ts';
import { momentIn, timeLabels } from './time-labels.ts';

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
  /** What stands for a value where there is none. */
  gap: string;
}

/** One figure over time. Time and value of whatever is pointed at, by mouse, finger or arrow keys, stand beside the title. */
export function UsageChart(props: UsageChartProps) {
  const { title, summary, times, values, format, atLeast, increments, mark, gap } = props;
  const element = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const formatting = useRef(format);
  formatting.current = format;
  const data = useMemo<uPlot.AlignedData>(() => [[...times], [...values]], [times, values]);
  const newest = useRef(data);
  newest.current = data;
  const [pointed, setPointed] = useState<number | null>(null);
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
    const made = new uPlot(
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
        hooks: { setCursor: [({ cursor }) => setPointed(cursor.idx ?? null)] },
        plugins: mark === undefined ? [] : [markLine(mark, warning)],
        series: [{}, { stroke: line, width: 1.5, fill: `${line}22`, points: { show: false } }],
      },
      newest.current,
      host,
    );
    chart.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: host.clientWidth, height: HEIGHT }));
    observer.observe(host);
    const stopFollowing = followFingersAndKeys(made, host);
    return () => {
      stopFollowing();
      observer.disconnect();
      made.destroy();
      setPointed(null);
    };
  }, [line, ink, grid, warning, atLeast, increments, mark, language]);

  // Not anew: what is pointed at stays pointed at.
  useEffect(() => {
    if (chart.current && chart.current.data !== data) chart.current.setData(data);
  }, [data]);

  const time = pointed === null ? undefined : times[pointed];
  const value = pointed === null ? undefined : values[pointed];
  const told =
    time === undefined ? summary : `${momentIn(language, time)} · ${typeof value === 'number' ? format(value) : gap}`;

  return (
    <Box component="figure" m={0}>
      <Text component="figcaption" size="sm" mb={4}>
        <Text span fw={600} size="sm">
          {title}
        </Text>{' '}
        <Text span c="dimmed" size="sm">
          {told}
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
        aria-valuenow={pointed ?? times.length - 1}
        aria-valuetext={told}
      />
    </Box>
  );
}
