import { Box, Text, useComputedColorScheme, useMantineTheme } from '@mantine/core';
import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';

const HEIGHT = 160;

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
}

/** One figure over time. */
export function UsageChart({ title, summary, times, values, format, atLeast }: UsageChartProps) {
  const element = useRef<HTMLDivElement>(null);
  const formatting = useRef(format);
  formatting.current = format;
  const scheme = useComputedColorScheme('dark', { getInitialValueInEffect: false });
  const { colors } = useMantineTheme();
  const line = colors.moss?.[scheme === 'dark' ? 5 : 7] ?? 'green';
  const ink = (scheme === 'dark' ? colors.dark?.[2] : colors.gray?.[6]) ?? 'gray';
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
        axes: [axis, { ...axis, size: 64, values: (_chart, ticks) => ticks.map((tick) => formatting.current(tick)) }],
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
  }, [times, values, line, ink, grid, atLeast]);

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
