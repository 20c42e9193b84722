import { useLanguage } from './language.ts';

const KB = 1000;
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];
const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** Formats numbers, sizes and times in the user's language. */
export interface Quantities {
  number(value: number, digits?: number): string;
  /** Bytes in decimal units: "1.8 GB". */
  size(bytes: number): string;
  /** MiB in binary units, as Java counts memory: "4 GB" for 4096. */
  memory(mebibytes: number): string;
  percent(value: number): string;
  /** "3.2 ms", "52 ms". */
  milliseconds(value: number): string;
  /** "30 days". */
  days(count: number): string;
  /** "3 hr 20 min". */
  duration(seconds: number): string;
  /** "5 minutes ago", "in 2 hours". `now`: milliseconds since the epoch, of `useNow`. */
  relative(time: string | number | Date, now: number): string;
  exact(time: string | number | Date): string;
}

export function useQuantities(): Quantities {
  const { language } = useLanguage();
  const known = byLanguage.get(language) ?? quantitiesIn(language);
  byLanguage.set(language, known);
  return known;
}

/** Formats take long to create: the whole page shares those of a language, and creates the large ones when they are first used. */
const byLanguage = new Map<string, Quantities>();

export function quantitiesIn(language: string): Quantities {
  const number = (value: number, digits = 0) =>
    value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  let relativeTime: Intl.RelativeTimeFormat | undefined;
  const fromNow = (value: number, unit: Intl.RelativeTimeFormatUnit) => {
    relativeTime ??= new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
    return relativeTime.format(Math.round(value), unit);
  };
  let exactTime: Intl.DateTimeFormat | undefined;
  const inUnit = (value: number, unit: string, unitDisplay: 'short' | 'long' = 'short') =>
    value.toLocaleString(language, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 0 });
  const scaled = (value: number, base: number, first: number) => {
    let unit = first;
    let rest = value;
    while (rest >= base && unit < UNITS.length - 1) {
      rest /= base;
      unit++;
    }
    return `${number(rest, rest < 10 && unit > 1 && !Number.isInteger(rest) ? 1 : 0)} ${UNITS[unit]}`;
  };
  return {
    number,
    size: (bytes) => scaled(bytes, KB, 0),
    memory: (mebibytes) => scaled(mebibytes, 1024, 2),
    milliseconds: (value) => `${number(value, value < 10 && !Number.isInteger(value) ? 1 : 0)} ms`,
    percent: (value) => (value / 100).toLocaleString(language, { style: 'percent' }),
    days: (count) => inUnit(count, 'day', 'long'),
    duration(seconds) {
      // Rounding up would give "60 sec" and "1 hr 60 min".
      const whole = (unit: number) => Math.floor(seconds / unit);
      if (seconds < MINUTE) return inUnit(whole(1), 'second');
      if (seconds < HOUR) return inUnit(whole(MINUTE), 'minute');
      if (seconds < DAY) return `${inUnit(whole(HOUR), 'hour')} ${inUnit(whole(MINUTE) % 60, 'minute')}`;
      return `${inUnit(whole(DAY), 'day')} ${inUnit(whole(HOUR) % 24, 'hour')}`;
    },
    relative(time, now) {
      const seconds = (new Date(time).getTime() - now) / 1000;
      const size = Math.abs(seconds);
      if (size < MINUTE) return fromNow(seconds, 'second');
      if (size < HOUR) return fromNow(seconds / MINUTE, 'minute');
      if (size < DAY) return fromNow(seconds / HOUR, 'hour');
      return fromNow(seconds / DAY, 'day');
    },
    exact(time) {
      exactTime ??= new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' });
      return exactTime.format(new Date(time));
    },
  };
}
