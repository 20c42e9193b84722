import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';
import { timeLabels } from './time-labels.ts';

/** All in CSS pixels. */
const HEIGHT = 160;
const TIME_AXIS_HEIGHT = 32;
const TIME_LABEL_WIDTH = 64;
/** The last time label overlaps the right edge by half of its width. */
const PADDING: uPlot.Padding = [8, TIME_LABEL_WIDTH / 3, 0, 0];
const LABEL_GAP = 18;
/** Lines up the left edges of charts with short labels. */
const MIN_AXIS_WIDTH = 56;
const DASH = [5, 4];

export interface PlotColours {
  line: string;
  ink: string;
  grid: string;
  warning: string;
}

export interface UsagePlotOptions {
  data: uPlot.AlignedData;
  colours: PlotColours;
  language: string;
  scale: PlotScale;
  format: (value: number) => string;
  /** Index of the point under the cursor; `null` without a cursor. */
  onCursor: (index: number | null) => void;
}

export interface PlotScale {
  /** The value axis reaches at least this value. */
  minMax: number;
  /** Possible steps of the value axis; by default uPlot's own. */
  increments?: readonly number[] | undefined;
  /** A value to mark with a dashed line. */
  mark?: number | undefined;
}

/** Draws a line chart into `host`, as wide as that is. */
export function createUsagePlot(host: HTMLElement, options: UsagePlotOptions): uPlot {
  const { data, language, format, onCursor } = options;
  const { line, ink, grid, warning } = options.colours;
  const { minMax, increments, mark } = options.scale;
  const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
  return new uPlot(
    {
      ...plotSize(host),
      legend: { show: false },
      cursor: { y: false },
      scales: { y: { range: (_chart, _low, high) => [0, Math.max(minMax, (high ?? 0) * 1.1)] } },
      padding: PADDING,
      axes: [
        { ...axis, size: TIME_AXIS_HEIGHT, space: TIME_LABEL_WIDTH, values: timeLabels(language) },
        {
          ...axis,
          size: axisWidth,
          ...(increments && { incrs: [...increments] }),
          values: (_chart, ticks) => ticks.map(format),
        },
      ],
      hooks: { setCursor: [({ cursor }) => onCursor(cursor.idx ?? null)] },
      plugins: mark === undefined ? [] : [dashedLine(mark, warning)],
      series: [{}, { stroke: line, width: 1.5, fill: `${line}22`, points: { show: false } }],
    },
    data,
    host,
  );
}

export function plotSize({ clientWidth }: HTMLElement): { width: number; height: number } {
  return { width: clientWidth, height: HEIGHT };
}

/** Makes the axis as wide as its longest label. */
const axisWidth: uPlot.Axis.Size = (chart, labels, axisIndex) => {
  const font = chart.axes[axisIndex]?.font?.[0];
  if (font !== undefined) chart.ctx.font = font;
  const widths = labels?.map((label) => chart.ctx.measureText(label).width / devicePixelRatio) ?? [];
  return Math.max(MIN_AXIS_WIDTH, Math.ceil(Math.max(0, ...widths)) + LABEL_GAP);
};

function dashedLine(value: number, colour: string): uPlot.Plugin {
  return {
    hooks: {
      draw({ ctx, bbox: { left, width }, valToPos }) {
        const y = Math.round(valToPos(value, 'y', true));
        ctx.save();
        ctx.strokeStyle = colour;
        ctx.lineWidth = devicePixelRatio;
        ctx.setLineDash(DASH.map((length) => length * devicePixelRatio));
        ctx.beginPath();
        ctx.moveTo(left, y);
        ctx.lineTo(left + width, y);
        ctx.stroke();
        ctx.restore();
      },
    },
  };
}
