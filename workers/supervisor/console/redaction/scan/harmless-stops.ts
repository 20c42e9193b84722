import { DIGIT, is, WORD } from './byte-classes.ts';

const COLON = 0x3a;
const DOT = 0x2e;
const NINE = 0x39;
const LETTER_A = 0x61;
const LETTER_G = 0x47;

/**
 * What two thirds of all stops are for, ruled out before any rule is called: the time of day that a line begins with, and
 * decimals, versions and names of packages, which have no second dot where an address has it. Answers how much of it to
 * skip, or 0.
 */
export function lengthOfCommonplace(text: Uint8Array, at: number): number {
  if (text[at] === COLON) {
    return isTimeOfDay(text, at) ? 4 : 0;
  }
  return text[at] === DOT && isCommonDot(text, at) ? 1 : 0;
}

function isCommonDot(text: Uint8Array, at: number): boolean {
  if (isFourFromDot(text, at)) {
    return false; // of a MAC address
  }
  if (!is(text[at - 1]!, DIGIT)) {
    return text[at - 1] !== LETTER_G; // of `SG.`, which begins a token
  }
  return (
    text[at + 2] !== DOT &&
    text[at + 3] !== DOT &&
    text[at + 4] !== DOT &&
    text[at - 1] !== NINE && // of `ya29.`, which begins a token
    text[at + 1] !== LETTER_A // of `ip6.arpa`
  );
}

/** Where a MAC address with dots has its others. */
export function isFourFromDot(text: Uint8Array, at: number): boolean {
  return text[at + 5] === DOT || text[at - 5] === DOT;
}

/** Whether a time of day has such characters. */
export function isOfTimes(byte: number): boolean {
  return is(byte, DIGIT) || byte === COLON;
}

/** `12:34:56` with nothing before or behind it that an address would have. */
function isTimeOfDay(text: Uint8Array, colon: number): boolean {
  return (
    text[colon + 3] === COLON &&
    is(text[colon + 1]!, DIGIT) &&
    is(text[colon - 1]!, DIGIT) &&
    is(text[colon + 4]!, DIGIT) &&
    !is(text[colon - 3]!, WORD) &&
    text[colon - 3] !== COLON &&
    !is(text[colon + 6]!, WORD) &&
    text[colon + 6] !== COLON
  );
}
