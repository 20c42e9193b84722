/** Maximum of names in an answer. */
export const MOST_NAMES = 1_000;
/** In UTF-16 units. */
const LONGEST_TEXT = 200;

/** Returns a text of an answer as it may be shown: on one line, and not too long. */
export function shownText(text: string): string {
  return text.replace(/\p{Cc}/gu, '').slice(0, LONGEST_TEXT);
}

/** Returns a number of players. Throws RangeError. */
export function count(value: string | undefined): number {
  if (value === undefined || !/^\d{1,9}$/.test(value)) throw new RangeError('its status has no player counts');
  return Number(value);
}
