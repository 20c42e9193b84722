import {
  ALNUM,
  BLANK,
  DIGIT,
  HOST,
  IDENTIFIER,
  is,
  LETTER,
  latin1,
  skip,
  skipBack,
  WORD,
} from '../scan/byte-classes.ts';
import type { Hits } from '../scan/hits.ts';
import { endOfQuad, type Shape, shapeOf } from './quads.ts';
import { isCalledVersion } from './version-context.ts';
import { ADDRESS_WORDS, isVersionWord } from './version-words.ts';

const DOT = 0x2e;
const DASH = 0x2d;
const PLUS = 0x2b;
const SLASH = 0x2f;
const PIPE = 0x7c;
const BACKSLASH = 0x5c;
const AMPERSAND = 0x26;
const UNDERSCORE = 0x5f;
/** The second byte of `§`. */
const SECTION = 0xa7;

/**
 * Returns whether four numbers without a port are a version rather than an address. Two numbers of three digits are always an address.
 * Otherwise it is a version if it is called one, if it is followed by the extension of a program's file, or if it is small and stands where
 * names have their versions. In doubt it is an address: a hidden version costs a look into the file, a shown address cannot be taken back.
 */
export function isVersionNumber(text: Buffer, start: number, end: number, hits: Hits): boolean {
  const shape = shapeOf(text, start, end);
  if (shape.hundreds) {
    return false;
  }
  const before = text[start - 1]!;
  const after = text[end]!;
  const next = text[end + 1]!;
  if (after === DOT && is(next, ALNUM) && !isDataFile(text, end + 1)) {
    return isProgramFile(text, end + 1);
  }
  if (is(before, IDENTIFIER) && !isColourCode(text, start)) {
    return isGluedToVersionWord(text, start, shape);
  }
  if (is(after, IDENTIFIER)) {
    return shape.small;
  }
  if (before === DASH && hits.lastEnd() !== start - 1 && is(text[start - 2]!, WORD)) {
    // `forge-15.2.0.27` is a version; `host-15.2.0.27` and the second half of `203.0.113.7-203.0.113.9` are not.
    return shape.smallFirst && !ADDRESS_WORDS.has(lastWord(text, start - 1));
  }
  if (before === PLUS || (after === PLUS && is(next, ALNUM))) {
    return shape.smallFirst;
  }
  if (after === DASH && is(next, ALNUM)) {
    return shape.smallFirst && endOfQuad(text, end + 1) < 0;
  }
  if (before === SLASH && (after === SLASH || after === BACKSLASH) && is(text[start - 2]!, WORD)) {
    return shape.smallFirst; // a folder, as in Maven's libraries/forge/47.1.0.5/forge.jar
  }
  return (shape.smallFirst && isTableCell(text, start, end)) || isCalledVersion(text, start, end, shape);
}

/** True for `v1.2.3.4`, `jdk11.0.9.1` and most names, but not for `ip5.6.7.8`. */
function isGluedToVersionWord(text: Buffer, start: number, { small, padded }: Shape): boolean {
  let end = start;
  while (text[end - 1] === UNDERSCORE) {
    end--;
  }
  const word = lastWord(text, end);
  return isVersionWord(word) || ((small || padded) && !ADDRESS_WORDS.has(word));
}

function lastWord(text: Buffer, end: number): string {
  return latin1(text, skipBack(text, end, LETTER, 32), end).toLowerCase();
}

/** An untranslated colour: `&a5.6.7.8`, `\u00a7a5.6.7.8`, or `[31m5.6.7.8` without its escape character. */
function isColourCode(text: Uint8Array, start: number): boolean {
  if (text[start - 2] === AMPERSAND || text[start - 2] === SECTION) {
    return true;
  }
  const digits = skipBack(text, start - 1, DIGIT, 3);
  return text[start - 1] === 0x6d && digits < start - 1 && (text[digits - 1] === 0x5b || text[digits - 1] === 0x3b);
}

/** A cell of the mod tables in Forge's crash reports: `|jei |15.2.0.27 |DONE`. */
function isTableCell(text: Uint8Array, start: number, end: number): boolean {
  return (
    text[skipBack(text, start, BLANK, WIDEST_CELL) - 1] === PIPE && text[skip(text, end, BLANK, WIDEST_CELL)] === PIPE
  );
}

const WIDEST_CELL = 64;

const PROGRAM_FILES = new Set('jar zip tar gz tgz exe msi dll so pom class final release ga snapshot'.split(' '));
const DATA_FILES = new Set('txt log json yml yaml toml dat'.split(' '));

/** Returns whether the extension of a program's file or release stands at `at`, as in `jei-15.2.0.27.jar`. */
function isProgramFile(text: Buffer, at: number): boolean {
  return PROGRAM_FILES.has(extensionAt(text, at));
}

/** Servers name files about players after their addresses: such an extension says nothing. */
function isDataFile(text: Buffer, at: number): boolean {
  const end = skip(text, at, ALNUM, 6);
  return !is(text[end]!, HOST & ~WORD) && DATA_FILES.has(extensionAt(text, at));
}

function extensionAt(text: Buffer, at: number): string {
  return latin1(text, at, skip(text, at, ALNUM, 8)).toLowerCase();
}
