import { Cron } from 'croner';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

/** When something is done, in the words of cron(5) and the time of a place. */
export interface CronTime {
  cron: string;
  /** IANA name. */
  timeZone: string;
}

/** The machine's own. */
export function localTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Throws `invalid_request` for what is no time, and for a time that never comes. */
export function checkCron(time: CronTime): void {
  if (!isTimeZone(time.timeZone))
    throw new GamekeeperError('invalid_request', `timeZone: there is no time zone "${time.timeZone}".`, {
      resolution: 'Use an IANA name such as Europe/Berlin or UTC.',
    });
  let next: Date | null;
  try {
    next = parse(time).nextRun(new Date());
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error);
    throw new GamekeeperError('invalid_request', `cron: "${time.cron}" is no time: ${why}`, {
      cause: error,
      resolution: 'Give minute, hour, day of the month, month and day of the week, such as "30 4 * * *".',
    });
  }
  if (!next) throw new GamekeeperError('invalid_request', `cron: "${time.cron}" never comes.`);
}

/**
 * The next `count` times after `after`. An hour that the clocks leave out has its times at its end, one that they repeat has them once,
 * unless the hour is a wildcard.
 */
export function nextRuns(time: CronTime, after: Date, count: number): Date[] {
  return parse(time).nextRuns(count, after);
}

/** The last time at or before `upTo`, if there was one. */
export function latestRun(time: CronTime, upTo: Date): Date | undefined {
  // Croner leaves out the moment that it is given, and knows seconds only.
  const behind = new Date((Math.floor(upTo.getTime() / 1000) + 1) * 1000);
  return parse(time).previousRuns(1, behind)[0];
}

function parse({ cron, timeZone }: CronTime): Cron {
  return new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true });
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false; // that is how Intl says so
  }
}
