import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';
import type { Span } from '../zoom/chart-zoom.ts';
import { type Overlay, type OverlayColours, overlayPlugin } from './chart-overlay.ts';
import { timeLabels } from './time-labels.ts';

/** All in CSS pixels. */
const HEIGHT = 160;
const TIME_AXIS_HEIGHT = 32;
const TIME_LABEL_WIDTH = 64;
/** The last time label overlaps the right edge by half of its width. */
const PADDING: uPlot.Padding = [8, TIME_LABEL_WIDTH / 3, 0, 0];
/** Wide enough for "10,000 ms". The same for every chart, so that their time axes line up. */
const VALUE_AXIS_WIDTH = 72;
/** The cursors of charts with the same key move together. */
const SYNC_KEY = 'usage';
/** A shorter drag is a click. */
const LEAST_DRAG = 5;
const NOTHING = { left: 0, top: 0, width: 0, height: 0 };
const DASH = [5, 4];

export interface PlotColours extends OverlayColours {
  line: string;
  warning: string;
}

export interface UsagePlotOptions {
  data: uPlot.AlignedData;
  colours: PlotColours;
  language: string;
  scale: PlotScale;
  /** Read at each drawing. */
  overlay: () => Overlay;
  format: (value: number) => string;
  /** The part of the time axis to show at first. */
  span: Span;
  /** Index of the point under the cursor; `null` without a cursor. */
  onCursor: (index: number | null) => void;
  /** The user selected a part of the time axis; `null`: all of it, by a double click. */
  onZoom: (span: Span | null) => void;
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
  const { data, language, span, format, onCursor, onZoom } = options;
  const { line, ink, grid, warning } = options.colours;
  const { minMax, increments, mark } = options.scale;
  const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
  return new uPlot(
    {
      ...plotSize(host),
      legend: { show: false },
      cursor: {
        y: false,
        drag: { setScale: false, dist: LEAST_DRAG },
        sync: { key: SYNC_KEY, scales: ['x', null], filters: { pub: (type) => type === 'mousemove' } },
        bind: {
          dblclick: () => () => {
            onZoom(null);
            return null;
          },
        },
      },
      scales: {
        x: { min: span[0], max: span[1] },
        y: { range: (_chart, _low, high) => [0, Math.max(minMax, (high ?? 0) * 1.1)] },
      },
      padding: PADDING,
      axes: [
        { ...axis, size: TIME_AXIS_HEIGHT, space: TIME_LABEL_WIDTH, values: timeLabels(language) },
        {
          ...axis,
          size: VALUE_AXIS_WIDTH,
          ...(increments && { incrs: [...increments] }),
          values: (_chart, ticks) => ticks.map(format),
        },
      ],
      hooks: {
        setCursor: [({ cursor }) => onCursor(cursor.idx ?? null)],
        setSelect: [
          (chart) => {
            const { left, width } = chart.select;
            chart.setSelect(NOTHING, false);
            onZoom([chart.posToVal(left, 'x'), chart.posToVal(left + width, 'x')]);
          },
        ],
      },
      plugins: [
        overlayPlugin(options.overlay, options.colours),
        ...(mark === undefined ? [] : [dashedLine(mark, warning)]),
      ],
      series: [{}, { stroke: line, width: 1.5, fill: `${line}22`, points: { show: false } }],
    },
    data,
    host,
  );
}

export function plotSize({ clientWidth }: HTMLElement): { width: number; height: number } {
  return { width: clientWidth, height: HEIGHT };
}

/** Shows data and a part of the time axis, in place: the cursor stays. Draws the overlay again. */
export function updatePlot(chart: uPlot, data: uPlot.AlignedData, [min, max]: Span): void {
  chart.batch(() => {
    chart.setData(data, false);
    chart.setScale('x', { min, max });
  });
}

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
