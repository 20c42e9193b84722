import { isUtf8 } from 'node:buffer';
import { INVISIBLE_RANGES, isInvisible } from '../../../../shared/domain/invisible-characters.ts';
import { isForgedNotice } from './notice.ts';

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const ESC = 0x1b;
const DEL = 0x7f;

/** At least one line is not clean. */
export const DIRTY = -1;

/**
 * Returns the number of lines in `block`, or `DIRTY` if one is not clean. A clean line is valid UTF-8 of at most `longest` bytes, ends in
 * one CR and LF, does not look like a notice, and has no invisible characters and no control characters but tabs and SGR colours. Text
 * without a line end counts as no line.
 */
export function countCleanLines(block: Buffer, longest: number): number {
  return isUtf8(block) ? countOf(block, longest) : DIRTY;
}

/** The same byte four times. All of these are 32-bit integers, V8's fastest numbers. */
const EACH = 0x01010101;
const HIGH_BITS = 0x80808080 | 0;
const SPACES = 0x20202020;
const DELETES = 0x7f7f7f7f;

/** 1 for the bytes that need a closer look: control characters, and first bytes of C1 controls and invisible characters. */
const special = new Uint8Array(256);
special.fill(1, 0, 0x20);
special[TAB] = 0;
special[DEL] = 1;
for (const [from, to] of [[0x80, 0x9f], ...INVISIBLE_RANGES] as const) {
  special.fill(1, firstByteOf(from), firstByteOf(to) + 1);
}

function firstByteOf(code: number): number {
  return Buffer.from(String.fromCodePoint(code))[0]!;
}

function countOf(block: Buffer, longest: number): number {
  const view = new DataView(block.buffer, block.byteOffset, block.length);
  let count = 0;
  let lineStart = 0;
  for (let at = nextSpecial(view, 0); at < block.length; at = nextSpecial(view, at)) {
    const byte = block[at]!;
    if (byte === CR) {
      if (block[at + 1] !== LF || at + 1 - lineStart > longest || isForgedNotice(block, lineStart)) {
        return DIRTY;
      }
      at += 2;
      lineStart = at;
      count++;
    } else if (byte === ESC) {
      const end = endOfColour(block, at);
      if (end === at) {
        return DIRTY;
      }
      at = end;
    } else if (byte > DEL) {
      const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
      const code = codePointAt(block, at, length);
      if (code < 0xa0 || isInvisible(code)) {
        return DIRTY;
      }
      at += length;
    } else {
      return DIRTY;
    }
  }
  return count;
}

/** Decodes a character of valid UTF-8 with `length` bytes, at least two (RFC 3629). */
function codePointAt(block: Buffer, at: number, length: number): number {
  let code = block[at]! & (0x7f >> length);
  for (let i = 1; i < length; i++) {
    code = (code << 6) | (block[at + i]! & 0x3f);
  }
  return code;
}

/**
 * Returns the index of the next special byte. Compares four bytes at a time, with
 * https://graphics.stanford.edu/~seander/bithacks.html#HasLessInWord. All first bytes of characters that are not ASCII have the high bit.
 */
function nextSpecial(block: DataView, from: number): number {
  const length = block.byteLength;
  let at = from;
  for (; at < length - 3; at += 4) {
    const word = block.getInt32(at, true);
    const deletes = word ^ DELETES;
    if (((word | (word - SPACES) | (deletes - EACH)) & HIGH_BITS) !== 0) {
      for (const end = at + 4; at < end; at++) {
        if (special[block.getUint8(at)] !== 0) {
          return at;
        }
      }
      at -= 4; // a tab, another character that is not ASCII, or a false positive of the comparison
    }
  }
  while (at < length && special[block.getUint8(at)] === 0) {
    at++;
  }
  return at;
}

/** Returns the index after the SGR sequence at `at`, or `at` itself if it is another sequence. */
function endOfColour(block: Buffer, at: number): number {
  if (block[at + 1] !== 0x5b) {
    return at;
  }
  let end = at + 2;
  while (block[end]! >= 0x30 && block[end]! <= 0x3b) {
    end++;
  }
  return block[end] === 0x6d ? end + 1 : at;
}
