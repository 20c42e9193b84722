import type uPlot from 'uplot';
import type { Span } from '../zoom/chart-zoom.ts';

const DAY_SECONDS = 86_400;
const MOMENT: Intl.DateTimeFormatOptions = {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
};

/** Labels of a time axis: the date at midnight, else the time of day. */
export function timeLabels(language: string): uPlot.Axis.DynamicValues {
  const day = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' });
  const time = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return (_chart, splits, _axis, _space, stepSeconds) =>
    splits.map((seconds) => {
      const at = new Date(seconds * 1000);
      return (stepSeconds >= DAY_SECONDS || isMidnight(at) ? day : time).format(at);
    });
}

/** Formats the time of day of an ISO time. */
export function formatTime(language: string, at: string): string {
  return new Date(at).toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

/** Formats date and time of a point. `seconds` since the epoch. */
export function formatMoment(language: string, seconds: number): string {
  return new Date(seconds * 1000).toLocaleString(language, MOMENT);
}

/** Formats the first and the last moment of a time. Seconds since the epoch. */
export function formatSpan(language: string, [from, to]: Span): string {
  return new Intl.DateTimeFormat(language, MOMENT).formatRange(from * 1000, to * 1000);
}

function isMidnight(at: Date): boolean {
  return at.getHours() === 0 && at.getMinutes() === 0;
}
