/** An announcement: `after` seconds after the first one, with `left` seconds to go. */
export interface Step {
  after: number;
  left: number;
}

/** Returns the announcements in order, and the length of the countdown in seconds. */
export function countdown(secondsBefore: readonly number[]): { steps: Step[]; total: number } {
  const lefts = [...new Set(secondsBefore)].sort((a, b) => b - a);
  const total = lefts[0] ?? 0;
  return { steps: lefts.map((left) => ({ after: total - left, left })), total };
}

export function inWords(seconds: number): string {
  const parts = [counted(Math.floor(seconds / 60), 'minute'), counted(seconds % 60, 'second')];
  return parts.filter((part) => part !== '').join(' ');
}

function counted(count: number, unit: string): string {
  return count === 0 ? '' : `${count} ${unit}${count === 1 ? '' : 's'}`;
}
