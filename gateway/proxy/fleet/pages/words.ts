import { type Html, html } from '../../../../shared/node/html.ts';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;
const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;
/** For what is not known. */
const UNKNOWN = html`<span class="dim">&ndash;</span>`;

/** Returns a size for people. */
export function sizeOf(bytes: number): string {
  const power = Math.max(0, Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const value = bytes / 1024 ** power;
  return `${value >= 10 || power === 0 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
}

/** Returns how long ago a time was, with the time itself for those who point at it. */
export function agoOf(iso: string, now: number): Html {
  const seconds = Math.max(0, Math.floor((now - Date.parse(iso)) / 1000));
  return html`<time datetime="${iso}" title="${iso.slice(0, 16).replace('T', ' ')} UTC">${lengthOf(seconds)} ago</time>`;
}

function lengthOf(seconds: number): string {
  if (seconds < MINUTE_S) return `${seconds} s`;
  if (seconds < HOUR_S) return `${Math.floor(seconds / MINUTE_S)} min`;
  return seconds < 2 * DAY_S ? `${Math.floor(seconds / HOUR_S)} h` : `${Math.floor(seconds / DAY_S)} days`;
}

/** Shows a value, or a dash if it is not known. */
export function known<T>(value: T | undefined | null, show: (value: T) => Html | string | number): Html {
  return value === undefined || value === null ? UNKNOWN : html`${show(value)}`;
}
