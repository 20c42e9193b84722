import { ALNUM, BLANK, CLASS, DIGIT, is, skip, WORD } from '../byte-classes.ts';
import type { Hits } from '../hits.ts';
import { KIND } from '../kinds.ts';
import { followsVersionWord, isFileExtension } from './version-context.ts';

const DOT = 0x2e;
const COLON = 0x3a;
const DASH = 0x2d;
const PLUS = 0x2b;
const SLASH = 0x2f;
const PIPE = 0x7c;
const BACKSLASH = 0x5c;

/**
 * An IPv4 address at its first dot, with its port if one follows: `/203.0.113.7:54321`, `(/203.0.113.7)`,
 * `host/203.0.113.7`. Four-part version numbers look the same, so the surroundings decide; a port settles it.
 * Loopback (127.0.0.0/8) and this-network (0.0.0.0/8) addresses stay.
 */
export function ipv4(text: Buffer, dot: number, hits: Hits): number {
  // Decimals and three-part versions go by here all the time.
  if (text[dot + 2] !== DOT && text[dot + 3] !== DOT && text[dot + 4] !== DOT) {
    return 0;
  }
  const start = octetStart(text, dot);
  const before = text[start - 1]!;
  if (is(before, WORD) || (before === DOT && is(text[start - 2]!, DIGIT))) {
    return 0;
  }
  const end = endOfQuad(text, start);
  if (end < 0) {
    return 0;
  }
  const endWithPort = endOfPort(text, end);
  if (isLoopback(text, start, dot) || isZero(text, start, dot)) {
    return endWithPort;
  }
  if (endWithPort === end && isVersionNumber(text, start, end, hits)) {
    return end;
  }
  hits.add(start, endWithPort, KIND.ip);
  return endWithPort;
}

/** Where the dotted quad that starts at `start` ends, or -1 if there is none. */
export function endOfQuad(text: Uint8Array, start: number): number {
  let at = start;
  for (let octet = 0; octet < 4; octet++) {
    if (octet > 0) {
      if (text[at] !== DOT) {
        return -1;
      }
      at++;
    }
    let value = 0;
    const from = at;
    while (at < from + 4 && is(text[at]!, DIGIT)) {
      value = value * 10 + (text[at]! - 0x30);
      at++;
    }
    if (at === from || at > from + 3 || value > 255) {
      return -1;
    }
  }
  const after = text[at]!;
  return is(after, WORD) || (after === DOT && is(text[at + 1]!, DIGIT)) ? -1 : at;
}

/** Where the `:port` at `at` ends, or `at` itself if there is none. */
export function endOfPort(text: Uint8Array, at: number): number {
  if (text[at] !== COLON) {
    return at;
  }
  const end = skip(text, at + 1, DIGIT, 6);
  return end === at + 1 || end > at + 6 || is(text[end]!, WORD) ? at : end;
}

function octetStart(text: Uint8Array, dot: number): number {
  let start = dot - 1;
  while (start > dot - 4 && is(text[start - 1]!, DIGIT)) {
    start--;
  }
  return start;
}

function isLoopback(text: Uint8Array, start: number, dot: number): boolean {
  return dot - start === 3 && text[start] === 0x31 && text[start + 1] === 0x32 && text[start + 2] === 0x37;
}

function isZero(text: Uint8Array, start: number, dot: number): boolean {
  for (let at = start; at < dot; at++) {
    if (text[at] !== 0x30) {
      return false;
    }
  }
  return true;
}

/** What tells 15.2.0.27 the version from 15.2.0.27 the address where no port follows. */
function isVersionNumber(text: Buffer, start: number, end: number, hits: Hits): boolean {
  const before = text[start - 1]!;
  const after = text[end]!;
  const next = text[end + 1]!;
  if (before === DASH) {
    // `forge-15.2.0.27` is a version, the second half of `203.0.113.7-203.0.113.9` is not.
    if (hits.lastEnd() !== start - 1 && is(text[start - 2]!, WORD)) {
      return true;
    }
  } else if (before === PLUS) {
    return true;
  }
  if (after === PLUS && is(next, ALNUM)) {
    return true;
  }
  if (after === DASH && is(next, ALNUM)) {
    return endOfQuad(text, end + 1) < 0;
  }
  if (after === DOT && is(next, ALNUM)) {
    return isFileExtension(text, end + 1);
  }
  if (before === SLASH && (after === SLASH || after === BACKSLASH) && is(text[start - 2]!, WORD)) {
    return true; // a folder, as in Maven's libraries/forge/47.1.0.5/forge.jar
  }
  return isTableCell(text, start) || followsVersionWord(text, start);
}

/** A cell of the mod tables in Forge's crash reports: `|jei |15.2.0.27 |DONE`. */
function isTableCell(text: Uint8Array, start: number): boolean {
  let at = start - 1;
  while ((CLASS[text[at]!]! & BLANK) !== 0) {
    at--;
  }
  return text[at] === PIPE;
}
