import { KIND } from '../kinds.ts';
import { CLASS, DIGIT, HEX, is, latin1, skip, skipBack } from '../scan/byte-classes.ts';
import type { Hits } from '../scan/hits.ts';

const DASH = 0x2d;
const ZERO = 0x30;

/** A UUID with dashes (RFC 9562, of any version, as Floodgate's have none), at its first dash. */
export function dashedUuid(text: Uint8Array, dash: number, hits: Hits): number {
  if (text[dash + 5] !== DASH || text[dash + 10] !== DASH || text[dash + 15] !== DASH) {
    return 0;
  }
  const start = dash - 8;
  const end = dash + 28;
  for (let at = start; at < end; at++) {
    if (!is(text[at]!, HEX) && !(text[at] === DASH && (at === dash || (at - dash) % 5 === 0))) {
      return 0;
    }
  }
  hits.add(start, end, KIND.uuid);
  return end;
}

/** In digits. Coordinates and colours have fewer; two of the four numbers of a UUID practically never do. */
const SMALLEST_RANDOM = 7;

/** A UUID in NBT since 1.16, at the semicolon of `[I;110787060,1156138790,-1514210135,238594805]`. */
export function intArrayUuid(text: Buffer, semicolon: number, hits: Hits): number {
  const start = semicolon + 1;
  const found = /^\s*-?\d+(?:,\s*-?\d+){3}(?=\s*\])/.exec(latin1(text, start, start + LONGEST_ARRAY))?.[0];
  const numbers = found?.split(',').filter((number) => number.replace(/[^0-9]/g, '').length >= SMALLEST_RANDOM);
  if (found === undefined || numbers === undefined || numbers.length < 2) {
    return 0;
  }
  hits.add(start, start + found.length, KIND.uuid);
  return start + found.length;
}

/** In bytes: four numbers of eleven characters with their separators. */
const LONGEST_ARRAY = 56;

/** A separate table, for speed. */
const hexDigits = CLASS.map((classes) => classes & HEX);

const LENGTH = 32;
/** Every run of 32 contains a whole aligned block of 16. Three bytes of a block rule out nearly all text. */
const STRIDE = 16;

/**
 * UUIDs without dashes between `from` and `to`: 32 hexadecimal digits, as in Mojang's API, legacy session ids and old user caches. Digests
 * that are called so (`md5: ...`) and decimal numbers stay.
 */
export function undashedUuids(text: Buffer, from: number, to: number, hits: Hits): void {
  let at = from + STRIDE - 1;
  while (at < to) {
    // One branch that is nearly never taken; three separate ones would be mispredicted more often.
    if ((hexDigits[text[at]!]! & hexDigits[text[at - 7]!]! & hexDigits[text[at - 15]!]!) === 0) {
      at += STRIDE;
      continue;
    }
    const start = skipBack(text, at, HEX, LENGTH);
    const end = skip(text, at, HEX, LENGTH);
    if (end - start === LENGTH && !is(text[start - 1]!, HEX) && !is(text[end]!, HEX)) {
      if (isIdentity(text, start, end)) {
        hits.add(start, end, KIND.uuid);
      }
    }
    at = end + STRIDE - 1;
  }
}

/** `MD5 (paper-1.21.4-231.jar) = `, as BSD's tools print it. */
const LONGEST_CALL = 64;

/** Returns whether it is neither a decimal number nor called a digest. */
function isIdentity(text: Buffer, start: number, end: number): boolean {
  const isDecimal = skip(text, start, DIGIT) >= end;
  const zeros = zerosAt(text, start);
  if (isDecimal && zeros < 12) {
    return false;
  }
  const before = latin1(text, Math.max(0, start - LONGEST_CALL), start);
  return !/(?:md5|hash|sum|digest|fingerprint|etag)(?: ?\([^()\n]*\))?[^a-z0-9\n]{0,4}$/i.test(before);
}

function zerosAt(text: Uint8Array, start: number): number {
  let at = start;
  while (text[at] === ZERO) {
    at++;
  }
  return at - start;
}
