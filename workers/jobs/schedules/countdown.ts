/** One announcement: how long after the first one, and how much time is left then. Seconds. */
export interface Step {
  after: number;
  left: number;
}

/** The announcements in order, and after how many seconds it happens. */
export function countdown(secondsBefore: readonly number[]): { steps: Step[]; total: number } {
  const lefts = [...new Set(secondsBefore)].sort((a, b) => b - a);
  const total = lefts[0] ?? 0;
  return { steps: lefts.map((left) => ({ after: total - left, left })), total };
}

/** As people say it: `1 minute 30 seconds`. */
export function inWords(seconds: number): string {
  const parts = [counted(Math.floor(seconds / 60), 'minute'), counted(seconds % 60, 'second')];
  return parts.filter((part) => part !== '').join(' ');
}

function counted(count: number, unit: string): string {
  return count === 0 ? '' : `${count} ${unit}${count === 1 ? '' : 's'}`;
}
