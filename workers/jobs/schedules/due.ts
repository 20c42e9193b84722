import type { Schedule } from '../../../shared/schema/schedule.ts';

/** A timer is late on a busy machine, and a laptop's lid is closed for a moment: this is still on time. Milliseconds. */
const ON_TIME_MS = 60_000;
/**
 * A clock that is set back by less than this makes nothing happen twice; by more, it was wrong before and begins anew (the rule of
 * cron(8)). Milliseconds.
 */
const CLOCK_CORRECTION_MS = 3 * 3_600_000;
const MINUTE_MS = 60_000;

/** Times are milliseconds since the epoch. */
export interface DueQuestion {
  /** The last of the schedule's times that is not in the future. */
  latest: number | undefined;
  /** Times up to this one have been dealt with. */
  consideredAt: number;
  now: number;
  missed: Schedule['missed'];
}

/** What to do about a schedule now: of all times that have passed, only the last one can still matter. */
export function judgeDue({ latest, consideredAt, now, missed }: DueQuestion): 'nothing' | 'run' | 'missed' {
  if (latest === undefined || latest <= consideredAt) return 'nothing';
  const late = now - latest;
  if (late <= ON_TIME_MS) return 'run';
  return missed.policy === 'run' && late <= missed.graceMinutes * MINUTE_MS ? 'run' : 'missed';
}

/** `consideredAt`, unless the clock shows that it was never true. */
export function heedClock(consideredAt: number, now: number): number {
  return consideredAt - now > CLOCK_CORRECTION_MS ? now : consideredAt;
}
