import type uPlot from 'uplot';

const DAY_SECONDS = 86_400;

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

/** Formats date and time of a point. `seconds` since the epoch. */
export function formatMoment(language: string, seconds: number): string {
  return new Date(seconds * 1000).toLocaleString(language, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
}

function isMidnight(at: Date): boolean {
  return at.getHours() === 0 && at.getMinutes() === 0;
}
