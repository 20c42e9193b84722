import { useMemo, useState } from 'react';
import { type Span, shownSpan, zoomTo } from './chart-zoom.ts';

/** Less is an error of rounding. Seconds. */
const LEAST_CHANGE = 1;

export interface Zoom {
  /** The part of the time axis to show. */
  span: Span;
  isZoomed: boolean;
  /** Returns true if `zoomTo` with this span would change something. */
  changes: (selected: Span) => boolean;
  /** Zooms to a part; `null`: shows everything. */
  zoomTo: (selected: Span | null) => void;
}

/** Keeps the zoom of all charts while `all` moves on with time. */
export function useZoom(all: Span, stepSeconds: number): Zoom {
  const [zoom, setZoom] = useState<Span | null>(null);
  const [from, to] = shownSpan(zoom, all);
  const within = (selected: Span) => zoomTo(selected, all, stepSeconds);
  return {
    span: useMemo(() => [from, to], [from, to]),
    isZoomed: from !== all[0] || to !== all[1],
    changes(selected) {
      const [nextFrom, nextTo] = within(selected) ?? all;
      return Math.abs(nextFrom - from) >= LEAST_CHANGE || Math.abs(nextTo - to) >= LEAST_CHANGE;
    },
    zoomTo: (selected) => setZoom(selected && within(selected)),
  };
}
