import { DIGIT, IDENTIFIER, is, skip } from '../scan/byte-classes.ts';

const DOT = 0x2e;
const COLON = 0x3a;
const ZERO = 0x30;

/** The looks of four numbers, in which addresses and versions differ. */
export interface Shape {
  /** The first number is below 64 and the others are below 100, as in `5.4.1.2` and one address in seventy. */
  readonly small: boolean;
  /** The first number is below 64: `1.16.201.2`. */
  readonly smallFirst: boolean;
  /** Two numbers or more have three digits: `203.0.113.7`. */
  readonly hundreds: boolean;
  /** `1.20.81.01`: a leading zero, as in versions of Bedrock. */
  readonly padded: boolean;
}

/** Returns the start of the four numbers whose first `.` or `-` is at `separator`. */
export function startOfQuad(text: Uint8Array, separator: number): number {
  let start = separator - 1;
  while (start > separator - 4 && is(text[start - 1]!, DIGIT)) {
    start--;
  }
  return start;
}

/** Returns the end of the four numbers of 0 to 255 that start at `start`, or -1 if there are fewer or more. */
export function endOfQuad(text: Uint8Array, start: number, separator = DOT): number {
  let at = start;
  for (let octet = 0; octet < 4; octet++) {
    if (octet > 0) {
      if (text[at] !== separator) {
        return -1;
      }
      at++;
    }
    let value = 0;
    const from = at;
    while (at < from + 4 && is(text[at]!, DIGIT)) {
      value = value * 10 + (text[at]! - ZERO);
      at++;
    }
    if (at === from || at > from + 3 || value > 255) {
      return -1;
    }
  }
  return text[at] === separator && is(text[at + 1]!, DIGIT) ? -1 : at;
}

/** Returns the end of the `:port` at `at`, or `at` itself if there is none. */
export function endOfPort(text: Uint8Array, at: number): number {
  if (text[at] !== COLON) {
    return at;
  }
  const end = skip(text, at + 1, DIGIT, 6);
  return end === at + 1 || end > at + 6 || is(text[end]!, IDENTIFIER) ? at : end;
}

/** Returns the looks of the four numbers from `start` to `end`. */
export function shapeOf(text: Uint8Array, start: number, end: number): Shape {
  let first = -1;
  let hundreds = 0;
  let large = 0;
  let zeros = 0;
  for (let at = start; at < end; at++) {
    const from = at;
    let value = 0;
    while (at < end && is(text[at]!, DIGIT)) {
      value = value * 10 + (text[at]! - ZERO);
      at++;
    }
    large += value >= (first < 0 ? 64 : 100) ? 1 : 0;
    first = first < 0 ? value : first;
    hundreds += value >= 100 ? 1 : 0;
    zeros += text[from] === ZERO && at - from > 1 ? 1 : 0;
  }
  const smallFirst = first < 64;
  const padded = smallFirst && zeros === 1 && text[end - 2] === ZERO && text[end - 3] === DOT;
  return { small: large === 0, smallFirst, hundreds: hundreds >= 2, padded };
}
