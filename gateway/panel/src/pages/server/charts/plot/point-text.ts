import type { Language } from '../../../../text/languages.ts';
import { EVENT_SIGNS, eventsAt } from '../chart-events.ts';
import { type Gap, gapAt } from '../chart-gaps.ts';
import type { History } from '../chart-history.ts';
import { chartsText } from '../charts-text.ts';
import { formatMoment, formatTime } from './time-labels.ts';

/** Events of one point that the text names: the newest. */
const MOST_NAMED = 3;

/** Explains gaps, and has the events to mark. */
export type ChartHistory = Pick<History, 'stepSeconds' | 'events'> & { gaps: readonly Gap[] };

/** A point of a chart. */
export interface ChartPoint {
  /** Seconds since the epoch. */
  time: number;
  /** `null`: none at that time. */
  value: number | null;
  format: (value: number) => string;
}

/** Returns a point as text: its time, its value or why it has none, and its events. */
export function pointText({ time, value, format }: ChartPoint, history: ChartHistory, language: Language): string {
  const words = chartsText[language];
  return [
    formatMoment(language, time),
    value === null ? words[gapAt(history.gaps, time)?.reason ?? 'unknown'] : format(value),
    ...eventsAt(history.events, time, history.stepSeconds)
      .slice(-MOST_NAMED)
      .map(({ at, kind }) => `${EVENT_SIGNS[kind]} ${words[kind]} ${formatTime(language, at)}`),
  ].join(' · ');
}
