import { DIGIT, is, WORD } from './byte-classes.ts';

const COLON = 0x3a;
const DOT = 0x2e;
const NINE = 0x39;
const LETTER_A = 0x61;
const LETTER_G = 0x47;

/**
 * Rules out the most frequent stops before any rule is called: the time of day at the start of a line, and decimals, versions and package
 * names, which lack the second dot of an address. Returns the number of bytes to skip, or 0 if a rule must look.
 */
export function harmlessLength(text: Uint8Array, at: number): number {
  if (text[at] === COLON) {
    return isTimeOfDay(text, at) ? 4 : 0;
  }
  return text[at] === DOT && isCommonDot(text, at) ? 1 : 0;
}

function isCommonDot(text: Uint8Array, at: number): boolean {
  if (isFourFromDot(text, at)) {
    return false; // a hardware address
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

/** Returns whether another dot stands where a hardware address such as `001A.2B3C.4D5E` has it. */
export function isFourFromDot(text: Uint8Array, at: number): boolean {
  return text[at + 5] === DOT || text[at - 5] === DOT;
}

/** Returns whether a time of day may contain `byte`. */
export function isInTimes(byte: number): boolean {
  return is(byte, DIGIT) || byte === COLON;
}

/** `12:34:56` without the neighbours that it would have in an address. */
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
