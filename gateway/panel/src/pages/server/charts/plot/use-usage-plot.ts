import { type RefObject, useEffect, useRef, useState } from 'react';
import type uPlot from 'uplot';
import type { Span } from '../zoom/chart-zoom.ts';
import { followTouchAndKeys } from './chart-cursor.ts';
import type { Overlay } from './chart-overlay.ts';
import { createUsagePlot, type PlotColours, type PlotScale, plotSize, updatePlot } from './create-usage-plot.ts';

/** A change of data, span or overlay updates the plot; one of scale, colours or language draws a new one. */
export interface UsagePlotProps extends PlotScale {
  data: uPlot.AlignedData;
  span: Span;
  overlay: Overlay;
  colours: PlotColours;
  language: string;
  format: (value: number) => string;
  /** The user selected a part of the time axis; `null`: all of it. */
  onZoom: (span: Span | null) => void;
}

export interface UsagePlot {
  /** The element to draw into. */
  element: RefObject<HTMLDivElement | null>;
  /** Of the point under the cursor; `null` without a cursor. */
  index: number | null;
}

/** Draws a chart, and follows its cursor. */
export function useUsagePlot(props: UsagePlotProps): UsagePlot {
  const { data, span, overlay, colours, language, minMax, increments, mark } = props;
  const element = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const newest = useRef(props);
  newest.current = props;
  const [index, setIndex] = useState<number | null>(null);

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

  return { element, index };
}
