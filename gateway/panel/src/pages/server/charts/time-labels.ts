import type uPlot from 'uplot';

const DAY_SECONDS = 86_400;

/** Labels of a time axis as people of that language write them: the day where one begins, else the time of day. */
export function timeLabels(language: string): uPlot.Axis.DynamicValues {
  const day = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' });
  const time = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit' });
  return (_chart, splits, _axis, _space, stepSeconds) =>
    splits.map((seconds) => {
      const at = new Date(seconds * 1000);
      return (stepSeconds >= DAY_SECONDS || isMidnight(at) ? day : time).format(at);
    });
}

/** One moment of a chart, with its day: some charts have several. Seconds since the epoch. */
export function momentIn(language: string, seconds: number): string {
  return new Date(seconds * 1000).toLocaleString(language, {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  });
}

function isMidnight(at: Date): boolean {
  return at.getHours() === 0 && at.getMinutes() === 0;
}
