import { isName, LONGEST_NAME } from '../kinds.ts';
import { BLANK, bytesOf, CLASS, EOL, is, KEY, latin1, QUOTE, SPACE, skip, TOKEN, WORD } from '../scan/byte-classes.ts';

const BACKSLASH = 0x5c;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const COMMA = 0x2c;
const SINGLE_QUOTE = 0x27;

/** The span of the value behind a key, without quotes. */
export interface Value {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

const SEPARATORS = new Set(bytesOf(',;&'));
const OPENING = new Map(['()', '[]', '{}', '<>'].map(([open, close]) => [close!.charCodeAt(0), open!.charCodeAt(0)]));
const TRAILING = new Set(bytesOf(',;:"\'`'));

/** Reads the value at `at`, after blanks if any: quoted, quoted within a string (`\"`), or one word. */
export function readValue(text: Buffer, at: number): Value | undefined {
  const start = skip(text, at, BLANK);
  const first = text[start]!;
  if (first === OPEN && isRedacted(text, start)) {
    return undefined;
  }
  if (first === BACKSLASH && is(text[start + 1]!, QUOTE)) {
    return quotedValue(text, start + 2, text[start + 1]!, true);
  }
  if (is(first, QUOTE)) {
    return text[start + 1] === first && text[start + 2] === first
      ? tripleQuotedValue(text, start + 3, first)
      : quotedValue(text, start + 1, first, false);
  }
  const end = first === OPEN ? endOfList(text, start) : endOfBareValue(text, start);
  return end > start ? { start, end, quoted: false } : undefined;
}

/** Returns whether the value was redacted before: `[token]`. */
function isRedacted(text: Buffer, open: number): boolean {
  const end = skip(text, open + 1, TOKEN, LONGEST_NAME) + 1;
  return isName(latin1(text, open, end)) && !is(text[end]!, WORD);
}

function quotedValue(text: Uint8Array, start: number, quote: number, escaped: boolean): Value | undefined {
  let at = start;
  while ((CLASS[text[at]!]! & EOL) === 0) {
    if (text[at] === BACKSLASH) {
      if (escaped && text[at + 1] === quote) {
        break;
      }
      at++;
      if (is(text[at]!, EOL)) {
        break;
      }
    } else if (text[at] === quote && !escaped) {
      if (!isDoubled(text, at, start)) {
        break;
      }
      at++;
    }
    at++;
  }
  return at > start ? { start, end: at, quoted: true } : undefined;
}

/** `"""x"""`, in TOML, Java and Kotlin. */
function tripleQuotedValue(text: Uint8Array, start: number, quote: number): Value | undefined {
  let end = start;
  while (!is(text[end]!, EOL) && !(text[end] === quote && text[end + 1] === quote && text[end + 2] === quote)) {
    end++;
  }
  return end > start ? { start, end, quoted: true } : undefined;
}

/** `'it''s'`, in YAML and SQL. */
function isDoubled(text: Uint8Array, at: number, start: number): boolean {
  return at > start && text[at] === SINGLE_QUOTE && text[at + 1] === SINGLE_QUOTE;
}

/** Reads one word, up to the separator of the next key (`&ssl=`, `, host=`, `;Database=`), without brackets and punctuation around it. */
function endOfBareValue(text: Uint8Array, start: number): number {
  let end = start;
  while ((CLASS[text[end]!]! & SPACE) === 0) {
    if (SEPARATORS.has(text[end]!) && end > start && separates(text, end)) {
      break;
    }
    if ((text[end] === 0x3c && text[end + 1] === 0x2f) || isWidePunctuation(text, end)) {
      break; // `</password>`, `，`
    }
    end++;
  }
  const shortest = Math.max(start, end - MOST_TRAILING);
  while (end > shortest && isTrailing(text, start, end - 1)) {
    end--;
  }
  return end;
}

/** Brackets and punctuation behind a word. More of them belong to the word. */
const MOST_TRAILING = 8;

/** Reads a token that Java prints as bytes: `claimToken=[44, 0, -109]`. */
function endOfList(text: Uint8Array, open: number): number {
  const limit = open + LONGEST_LIST;
  let at = open + 1;
  let hasComma = false;
  while (at < limit && text[at] !== CLOSE && text[at] !== OPEN && !is(text[at]!, EOL)) {
    hasComma ||= text[at] === COMMA;
    at++;
  }
  return hasComma && text[at] === CLOSE ? at + 1 : endOfBareValue(text, open);
}

/** In bytes: 256 numbers with their separators. */
const LONGEST_LIST = 1536;

/** `、`, `。` and full-width ASCII: U+3001 to U+3003, U+FF01 to U+FF1F. */
function isWidePunctuation(text: Uint8Array, at: number): boolean {
  const last = text[at + 2]!;
  return (
    (text[at] === 0xe3 && text[at + 1] === 0x80 && last <= 0x83) ||
    (text[at] === 0xef && text[at + 1] === 0xbc && last <= 0x9f)
  );
}

function separates(text: Uint8Array, at: number): boolean {
  const next = text[at + 1]!;
  if (is(next, SPACE | QUOTE)) {
    return true;
  }
  const end = skip(text, at + 1, WORD | KEY, 64);
  return end > at + 1 && (text[end] === 0x3d || text[end] === 0x3a);
}

function isTrailing(text: Uint8Array, start: number, at: number): boolean {
  const byte = text[at]!;
  const open = OPENING.get(byte);
  if (open === undefined) {
    return TRAILING.has(byte);
  }
  for (let i = start; i < at; i++) {
    if (text[i] === open) {
      return false;
    }
  }
  return true;
}
