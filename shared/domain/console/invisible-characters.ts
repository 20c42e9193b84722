/**
 * Characters that are not shown, or that change how the text around them is shown (UAX #9, Unicode TR 36; CVE-2021-42574): those that Unicode
 * calls ignorable (DerivedCoreProperties.txt, Default_Ignorable_Code_Point) without the variation selectors of emoji, separators of lines and
 * paragraphs, and marks of annotations. Control characters (Cc) are a set of their own, because a console handles them.
 */
export const INVISIBLE_RANGES = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
] as const;

/** Takes the room of a letter, but has no ink. As a part of drawings it is harmless. */
const BLANK = '\\u{2800}';

const INVISIBLE_SET = INVISIBLE_RANGES.map(([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`).join(
  '',
);

/** A text without control characters, invisible ones and blanks that look like nothing. */
export const PRINTABLE_LINE = new RegExp(`^[^\\u{0}-\\u{1f}\\u{7f}-\\u{9f}${INVISIBLE_SET}${BLANK}]*$`, 'u');

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
