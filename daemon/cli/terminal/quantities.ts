import { InvalidArgumentError } from 'commander';

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Returns a size to read: `0 B`, `1.4 MB`, `230 GB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < BYTE_UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 9.95 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${BYTE_UNITS[unit]}`;
}

/** Returns a duration to read: `0.3 s`, `8 s`, `3 min 20 s`, `5 h 4 min`, `12 d 3 h`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 9.95 && !Number.isInteger(seconds)) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return two([Math.floor(whole / 60), 'min'], [whole % 60, 's']);
  if (whole < 86_400) return two([Math.floor(whole / 3_600), 'h'], [Math.floor((whole % 3_600) / 60), 'min']);
  return two([Math.floor(whole / 86_400), 'd'], [Math.floor((whole % 86_400) / 3_600), 'h']);
}

function two([large, largeUnit]: [number, string], [small, smallUnit]: [number, string]): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

/** Returns a local date and time: `2026-11-20 14:05`. */
export function formatTime(iso: string): string {
  const at = new Date(iso);
  const pad = (value: number) => String(value).padStart(2, '0');
  const date = `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
  return `${date} ${pad(at.getHours())}:${pad(at.getMinutes())}`;
}

const SECONDS_OF: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** Parses `90s`, `15m`, `12h`, `30d`, `2w` into seconds. Throws commander's error for wrong usage. */
export function parseDuration(text: string): number {
  const [, amount, unit] = /^(\d+)([smhdw])$/.exec(text) ?? [];
  if (!amount || !unit) throw new InvalidArgumentError('Use a number and s, m, h, d or w, such as 12h or 30d.');
  return Number(amount) * SECONDS_OF[unit]!;
}

const MEBIBYTES_OF: Readonly<Record<string, number>> = { '': 1, m: 1, g: 1024 };

/** Parses `2048`, `512M`, `2G` into MiB. */
export function parseMemory(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)([mg]?)(?:i?b)?$/i.exec(text) ?? [];
  if (!amount || unit === undefined)
    throw new InvalidArgumentError('Use a number of MiB, or a number and M or G, such as 2G.');
  return Math.round(Number(amount) * MEBIBYTES_OF[unit.toLowerCase()]!);
}

/** Parses a whole number. The API checks the range. */
export function parseWhole(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Use a whole number.');
  return Number(text);
}

/** Adds a `name=value` to those before it. */
export function addPair(text: string, before: Record<string, string> = {}): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Such as LEVEL=castle.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}
