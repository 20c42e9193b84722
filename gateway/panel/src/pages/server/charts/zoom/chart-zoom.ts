import { type History, secondsOf } from '../chart-history.ts';

/** A part of the time axis: its first and last moment, seconds since the epoch. */
export type Span = readonly [from: number, to: number];

/** A line through fewer points says nothing. */
const LEAST_STEPS = 6;

/** Returns the time from the oldest point or event until the answer; at least one step. */
export function wholeSpan({
  points,
  events,
  until,
  stepSeconds,
}: Pick<History, 'points' | 'events' | 'until' | 'stepSeconds'>): Span {
  const end = secondsOf(until);
  const firsts = [...points.slice(0, 1), ...events.slice(0, 1)].map(({ at }) => secondsOf(at));
  const oldest = Math.min(end, ...firsts);
  return [oldest, Math.max(end, oldest + stepSeconds)];
}

/** Returns the span to zoom to for a selection: within `all`, and wide enough for a few points. `null`: all of it. */
export function zoomTo([from, to]: Span, all: Span, stepSeconds: number): Span | null {
  const width = Math.max(to - from, LEAST_STEPS * stepSeconds);
  if (width >= all[1] - all[0]) return null;
  const centred = (from + to - width) / 2;
  const start = Math.max(all[0], Math.min(centred, all[1] - width));
  return [start, start + width];
}

/** Returns the span to show: the zoom, until all of it is older than the oldest point. */
export function shownSpan(zoom: Span | null, all: Span): Span {
  return zoom && zoom[1] > all[0] ? [Math.max(zoom[0], all[0]), zoom[1]] : all;
}

/** Returns the span around the same middle whose width is multiplied by `factor`. */
export function scaled([from, to]: Span, factor: number): Span {
  const margin = ((to - from) * (factor - 1)) / 2;
  return [from - margin, to + margin];
}

/** Returns the span moved by a share of its width; a negative one: to earlier times. */
export function moved([from, to]: Span, share: number): Span {
  const by = (to - from) * share;
  return [from + by, to + by];
}
