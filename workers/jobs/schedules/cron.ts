import { Cron } from 'croner';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

/** A time in the syntax of cron(5), in a time zone. */
export interface CronTime {
  cron: string;
  timeZone: string;
}

/** As many as 200 instances with all their schedules have. */
const MOST_REMEMBERED = 10_000;
/**
 * How far ahead and back runs are searched. 29 February can be eight years away. Without a limit croner searches 400 years, which takes up to
 * a second of this process for a day that rarely comes.
 */
const SEARCHED_YEARS = 10;
/** How long a time without runs is remembered. Milliseconds. */
const DAY_MS = 86_400_000;

export function localTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Throws `invalid_request` if the time is not valid or does not come within ten years. */
export function checkCron(time: CronTime): void {
  if (!isTimeZone(time.timeZone))
    throw new GamekeeperError('invalid_request', `timeZone: there is no time zone "${time.timeZone}".`, {
      resolution: 'Use an IANA name such as Europe/Berlin or UTC.',
    });
  let next: Date | undefined;
  try {
    [next] = nextRuns(time, new Date(), 1);
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error);
    throw new GamekeeperError('invalid_request', `cron: "${time.cron}" is not a valid time: ${why}`, {
      cause: error,
      resolution:
        'Use five fields: minute, hour, day of the month, month and day of the week, for example "30 4 * * *".',
    });
  }
  if (!next)
    throw new GamekeeperError(
      'invalid_request',
      `cron: "${time.cron}" does not come within the next ${SEARCHED_YEARS} years.`,
      { resolution: 'Check the day and the month. Use a time that comes more often.' },
    );
}

/**
 * Returns at most `count` runs within ten years. Times that the clocks skip come at the hour's end; repeated times come once, unless the hour
 * is a wildcard.
 */
export function nextRuns(time: CronTime, after: Date, count: number): Date[] {
  const year = after.getUTCFullYear();
  return parse(time, { first: year - 1, last: year + SEARCHED_YEARS }).nextRuns(count, after);
}

/**
 * Remembers the next runs of each time until the first of them has come, because finding rare ones takes milliseconds, and everyone who may see
 * a server may ask for them.
 */
export function createUpcomingRuns(count: number): (time: CronTime, now: Date) => readonly Date[] {
  const known = new Map<string, { runs: readonly Date[]; until: number }>();
  return (time, now) => {
    const key = `${time.timeZone} ${time.cron}`;
    const remembered = known.get(key);
    if (remembered && remembered.until > now.getTime()) return remembered.runs;
    if (known.size >= MOST_REMEMBERED) known.clear();
    const runs = nextRuns(time, now, count);
    known.set(key, { runs, until: runs[0]?.getTime() ?? now.getTime() + DAY_MS });
    return runs;
  };
}

/** Returns the last time at or before `upTo`, if there was one within ten years. */
export function latestRun(time: CronTime, upTo: Date): Date | undefined {
  // Croner excludes the moment it is given, and works in whole seconds.
  const behind = new Date((Math.floor(upTo.getTime() / 1000) + 1) * 1000);
  const year = upTo.getUTCFullYear();
  return parse(time, { first: year - SEARCHED_YEARS, last: year + 1 }).previousRuns(1, behind)[0];
}

/** The years, in the time zone, are a field of the pattern: `stopAt` of croner does not end a search. */
function parse({ cron, timeZone }: CronTime, { first, last }: { first: number; last: number }): Cron {
  return new Cron(`0 ${cron} ${first}-${last}`, { timezone: timeZone, mode: '7-part', paused: true });
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false; // Intl throws for an unknown name
  }
}
