import type { Schedule } from '../../../shared/schema/schedule.ts';

/**
 * A run that is late by less than this still counts as on time: the machine was busy, or a laptop was closed for a moment. Milliseconds.
 */
const ON_TIME_MS = 60_000;
/**
 * If the clock is set back by less than this, no run is repeated; if by more, the schedule starts over from the new time (cron(8)).
 * Milliseconds.
 */
const CLOCK_CORRECTION_MS = 3 * 3_600_000;
const MINUTE_MS = 60_000;

/** Times are milliseconds since the epoch. */
export interface DueQuestion {
  /** The latest of the schedule's times that is not in the future. */
  latest: number | undefined;
  /** Times up to this one have been handled. */
  consideredAt: number;
  now: number;
  missed: Schedule['missed'];
}

/** Decides what to do about a schedule now. Of all times that have passed, only the last one matters. */
export function judgeDue({ latest, consideredAt, now, missed }: DueQuestion): 'nothing' | 'run' | 'missed' {
  if (latest === undefined || latest <= consideredAt) return 'nothing';
  const late = now - latest;
  if (late <= ON_TIME_MS) return 'run';
  return missed.policy === 'run' && late <= missed.graceMinutes * MINUTE_MS ? 'run' : 'missed';
}

/** Returns `consideredAt`, or `now` if the clock shows that it was wrong. */
export function correctForClock(consideredAt: number, now: number): number {
  return consideredAt - now > CLOCK_CORRECTION_MS ? now : consideredAt;
}
