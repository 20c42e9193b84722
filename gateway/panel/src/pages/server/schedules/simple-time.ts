/** Common times, which have inputs of their own instead of a cron expression. */
export type SimpleTime =
  | { every: 'hour'; minute: number }
  | { every: 'day'; time: string }
  | { every: 'week'; day: string; time: string };

/** Cron's numbers of the weekdays, from Monday. */
export const WEEK_DAYS = ['1', '2', '3', '4', '5', '6', '0'] as const;

const SUNDAY = Date.UTC(2023, 0, 1);
const DAY_MS = 86_400_000;

const HOURLY = /^(\d{1,2}) \* \* \* \*$/;
const DAILY = /^(\d{1,2}) (\d{1,2}) \* \* ([\d*])$/;

const TIME_OF_DAY = /^(\d{1,2})(?:[:.]?(\d{2}))?$/;

/** Returns `undefined` for a cron expression that is no simple time. */
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

/** Reads a time in 24 hours: "4", "430", "4:30", "04.30". Returns it as "04:30"; `undefined` for anything else. */
export function readTimeOfDay(typed: string): string | undefined {
  const [, hour = '', minute = ''] = TIME_OF_DAY.exec(typed.trim()) ?? [];
  if (hour === '' || Number(hour) > 23 || Number(minute) > 59) return undefined;
  return `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
}

/** Returns the name of a weekday by its number in cron. */
export function dayName(day: number, language: string): string {
  return new Date(SUNDAY + day * DAY_MS).toLocaleDateString(language, { weekday: 'long', timeZone: 'UTC' });
}

export function cronOf(simple: SimpleTime): string {
  if (simple.every === 'hour') return `${simple.minute} * * * *`;
  const [hour = '0', minute = '0'] = simple.time.split(':');
  return `${Number(minute)} ${Number(hour)} * * ${simple.every === 'day' ? '*' : simple.day}`;
}
