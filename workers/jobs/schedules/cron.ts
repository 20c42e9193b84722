import { Cron } from 'croner';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

/** A time in the syntax of cron(5), in a time zone. */
export interface CronTime {
  cron: string;
  timeZone: string;
}

/** As many as 200 instances with all their schedules have. */
const MOST_REMEMBERED = 10_000;

export function localTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Throws `invalid_request` if the time is not valid or never comes. */
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
    throw new GamekeeperError('invalid_request', `cron: "${time.cron}" is not a valid time: ${why}`, {
      cause: error,
      resolution:
        'Use five fields: minute, hour, day of the month, month and day of the week, for example "30 4 * * *".',
    });
  }
  if (!next) throw new GamekeeperError('invalid_request', `cron: "${time.cron}" never comes.`);
}

/** Times that the clocks skip come at the hour's end; repeated times come once, unless the hour is a wildcard. */
export function nextRuns(time: CronTime, after: Date, count: number): Date[] {
  return parse(time).nextRuns(count, after);
}

/**
 * Remembers the next runs of each time until the first of them has come, because finding rare ones (29 February on a Monday) takes
 * milliseconds, and everyone who may see a server may ask for them.
 */
export function createUpcomingRuns(count: number): (time: CronTime, now: Date) => readonly Date[] {
  const known = new Map<string, readonly Date[]>();
  return (time, now) => {
    const key = `${time.timeZone} ${time.cron}`;
    const remembered = known.get(key);
    if (remembered?.[0] && remembered[0] > now) return remembered;
    if (known.size >= MOST_REMEMBERED) known.clear();
    const found = nextRuns(time, now, count);
    known.set(key, found);
    return found;
  };
}

/** Returns the last time at or before `upTo`, if there was one. */
export function latestRun(time: CronTime, upTo: Date): Date | undefined {
  // Croner excludes the moment it is given, and works in whole seconds.
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
    return false; // Intl throws for an unknown name
  }
}
