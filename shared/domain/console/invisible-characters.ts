/**
 * Characters that are not shown, or that change how the text around them is shown (UAX #9, Unicode TR 36; CVE-2021-42574): soft hyphen,
 * zero-width characters, marks and overrides of the writing direction, separators of lines and paragraphs, tags. Control characters (Cc) are
 * a set of their own, because a console handles them.
 */
export const INVISIBLE_RANGES = [
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe007f],
] as const;

const INVISIBLE_SET = INVISIBLE_RANGES.map(([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`).join(
  '',
);

/** A text without control characters and invisible ones. */
export const PRINTABLE_LINE = new RegExp(`^[^\\u{0}-\\u{1f}\\u{7f}-\\u{9f}${INVISIBLE_SET}]*$`, 'u');

const UNPRINTABLE = new RegExp(`[\\u{0}-\\u{8}\\u{b}-\\u{1f}\\u{7f}-\\u{9f}${INVISIBLE_SET}]`, 'gu');
const INVISIBLE = new RegExp(`[${INVISIBLE_SET}]`, 'gu');

export function isInvisible(codePoint: number): boolean {
  for (const [from, to] of INVISIBLE_RANGES) if (codePoint >= from && codePoint <= to) return true;
  return false;
}

/** Returns how an invisible character is shown: `<U+202E>`. */
export function shownAs(codePoint: number): string {
  return `<U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** Returns the text with its invisible characters shown. */
export function showInvisible(text: string): string {
  return text.replace(INVISIBLE, (one) => shownAs(one.codePointAt(0)!));
}

/** Returns the text with its invisible and control characters shown, except line breaks and tabs. */
export function showUnprintable(text: string): string {
  return replaceUnprintable(text, (one) => shownAs(one.codePointAt(0)!));
}

/** Replaces each invisible and control character, except line breaks and tabs. */
export function replaceUnprintable(text: string, replacement: (character: string) => string): string {
  return text.replace(UNPRINTABLE, replacement);
}
