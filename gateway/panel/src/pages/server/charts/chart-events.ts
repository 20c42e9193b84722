import { type HistoryEvent, secondsOf } from './chart-history.ts';
import type { Span } from './zoom/chart-zoom.ts';

/** Characters that every font draws as plain shapes. */
export const EVENT_SIGNS: Readonly<Record<HistoryEvent['kind'], string>> = {
  start: '▲',
  stop: '▼',
  sleep: '○',
  crash: '×',
  backup: '◆',
  mods: '●',
};

/** Returns the events of a point: those closer to it than to its neighbours. `time` in seconds since the epoch. */
export function eventsAt(events: readonly HistoryEvent[], time: number, stepSeconds: number): HistoryEvent[] {
  return events.filter(({ at }) => {
    const distance = secondsOf(at) - time;
    return distance >= -stepSeconds / 2 && distance < stepSeconds / 2;
  });
}

/** Returns the events in a span, newest first. */
export function eventsIn(events: readonly HistoryEvent[], [from, to]: Span): HistoryEvent[] {
  return events.filter(({ at }) => secondsOf(at) >= from && secondsOf(at) <= to).reverse();
}
