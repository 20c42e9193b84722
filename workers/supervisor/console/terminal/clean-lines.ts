import { isAscii, isUtf8 } from 'node:buffer';
import { INVISIBLE_RANGES } from '../../../../shared/domain/console/invisible-characters.ts';
import { isForgedNotice } from './notice.ts';

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const ESC = 0x1b;
const DEL = 0x7f;
const C1 = [0x80, 0x9f] as const;
/** The characters that share all bytes but the last. */
const BLOCK = 64;

/** At least one line is not clean. */
export const DIRTY = -1;

/**
 * Returns the number of lines in `block`, or `DIRTY` if one is not clean. A clean line is valid UTF-8 of at most `longest` bytes, ends in
 * one CR and LF, does not look like a notice, and has no invisible characters and no control characters but tabs and SGR colours. Text
 * without a line end counts as no line.
 */
export function countCleanLines(block: Buffer, longest: number): number {
  const isText = isAscii(block) || (isUtf8(block) && !hasHidden(block.toString('latin1')));
  return isText ? countOf(block, longest) : DIRTY;
}

/** U+3164. Japanese letters begin with its first byte: in HIDDEN_BYTES, it would take most of their speed. */
const HANGUL_FILLER = 0x3164;
const [FILLER_FIRST, ...FILLER_REST] = Buffer.from(String.fromCodePoint(HANGUL_FILLER));
const FILLER_END = String.fromCharCode(...FILLER_REST);

/** C1 controls and invisible characters in UTF-8, a byte per character: several times as fast as a search in decoded text. */
const HIDDEN_BYTES = new RegExp(
  [C1, ...INVISIBLE_RANGES]
    .filter(([from]) => from !== HANGUL_FILLER)
    .flatMap(([from, to]) => [...bytesOf(from, to)])
    .join('|'),
);

/** Yields the bytes of the characters from `from` to `to`; for 64 that differ in their last byte only, those before it. */
function* bytesOf(from: number, to: number): Generator<string> {
  for (let code = from; code <= to; ) {
    const bytes = Buffer.from(String.fromCodePoint(code)).toString('latin1');
    const isBlock = code % BLOCK === 0 && code + BLOCK - 1 <= to;
    yield isBlock ? bytes.slice(0, -1) : bytes;
    code += isBlock ? BLOCK : 1;
  }
}

/** `bytes`: valid UTF-8, a byte per character. */
function hasHidden(bytes: string): boolean {
  if (HIDDEN_BYTES.test(bytes)) return true;
  for (let at = bytes.indexOf(FILLER_END); at !== -1; at = bytes.indexOf(FILLER_END, at + 1))
    if (bytes.charCodeAt(at - 1) === FILLER_FIRST) return true;
  return false;
}

/** The same byte four times. All of these are 32-bit integers, V8's fastest numbers. */
const EACH = 0x01010101;
const HIGH_BITS = 0x80808080 | 0;
const SPACES = 0x20202020;
const DELETES = 0x7f7f7f7f;

/** 1 for the bytes that need a closer look. */
const special = new Uint8Array(256);
special.fill(1, 0, 0x20);
special[TAB] = 0;
special[DEL] = 1;

function countOf(block: Buffer, longest: number): number {
  const view = new DataView(block.buffer, block.byteOffset, block.length);
  let count = 0;
  let lineStart = 0;
  for (let at = nextSpecial(view, 0); at < block.length; at = nextSpecial(view, at)) {
    switch (block[at]) {
      case CR:
        if (block[at + 1] !== LF || at + 1 - lineStart > longest || isForgedNotice(block, lineStart)) {
          return DIRTY;
        }
        at += 2;
        lineStart = at;
        count++;
        break;
      case ESC: {
        const end = endOfColour(block, at);
        if (end === at) {
          return DIRTY;
        }
        at = end;
        break;
      }
      default:
        return DIRTY;
    }
  }
  return count;
}

/**
 * Returns the index of the next special byte. Compares four bytes at a time, with
 * https://graphics.stanford.edu/~seander/bithacks.html#HasLessInWord.
 */
function nextSpecial(block: DataView, from: number): number {
  const length = block.byteLength;
  let at = from;
  for (; at < length - 3; at += 4) {
    const word = block.getInt32(at, true);
    const deletes = word ^ DELETES;
    const controls = (word - SPACES) & ~word;
    if (((controls | ((deletes - EACH) & ~deletes)) & HIGH_BITS) !== 0) {
      for (const end = at + 4; at < end; at++) {
        if (special[block.getUint8(at)] !== 0) {
          return at;
        }
      }
      at -= 4; // a tab, or a false positive of the comparison
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
