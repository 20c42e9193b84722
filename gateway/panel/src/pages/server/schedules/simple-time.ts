/** The times that most people want, which are chosen rather than written in cron's words. */
export type SimpleTime =
  | { every: 'hour'; minute: number }
  | { every: 'day'; time: string }
  | { every: 'week'; day: string; time: string };

/** Cron's numbers of the days, in the order of a week. */
export const WEEK_DAYS = ['1', '2', '3', '4', '5', '6', '0'] as const;

/** A Sunday, from which the days' names are taken. */
const SUNDAY = Date.UTC(2023, 0, 1);
const DAY_MS = 86_400_000;

const HOURLY = /^(\d{1,2}) \* \* \* \*$/;
const DAILY = /^(\d{1,2}) (\d{1,2}) \* \* ([\d*])$/;

/** `undefined` where it takes cron's own words. */
export function simpleTimeOf(cron: string): SimpleTime | undefined {
  const hourly = HOURLY.exec(cron.trim());
  if (hourly) return { every: 'hour', minute: Number(hourly[1]) };
  const daily = DAILY.exec(cron.trim());
  if (!daily) return undefined;
  const [, minute = '', hour = '', day = ''] = daily;
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (day === '*') return { every: 'day', time };
  return { every: 'week', day: day === '7' ? '0' : day, time };
}

/** What people call a day by cron's number of it. */
export function dayName(day: number, language: string): string {
  return new Date(SUNDAY + day * DAY_MS).toLocaleDateString(language, { weekday: 'long', timeZone: 'UTC' });
}

export function cronOf(simple: SimpleTime): string {
  if (simple.every === 'hour') return `${simple.minute} * * * *`;
  const [hour = '0', minute = '0'] = simple.time.split(':');
  return `${Number(minute)} ${Number(hour)} * * ${simple.every === 'day' ? '*' : simple.day}`;
}
