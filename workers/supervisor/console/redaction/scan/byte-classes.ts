/**
 * Character classes, one bit each: a rule tests `CLASS[byte] & HEX` where a regular expression would have `[0-9a-fA-F]`. Bytes from 0x80 on
 * are parts of UTF-8 characters. They count as letters in names and host names, never in tokens.
 */
export const DIGIT = 1 << 0;
export const HEX = 1 << 1;
export const UPPER = 1 << 2;
export const ALNUM = 1 << 3;
/** Letters, digits, underscore and every non-ASCII byte. */
export const WORD = 1 << 4;
/** base64url, as in JWTs and most vendors' tokens. */
export const TOKEN = 1 << 5;
/** A key as in `rcon.password`, `api-key`, `DB_PASS`. */
export const KEY = 1 << 6;
/** The part of an e-mail address before the `@`, in practice (RFC 5321 allows more). */
export const LOCAL_PART = 1 << 7;
export const HOST = 1 << 8;
export const BLANK = 1 << 9;
/** Ends a line, or the part of it before a cut (rules/cut-lines.ts). No rule looks past it. */
export const EOL = 1 << 10;
export const QUOTE = 1 << 11;
export const BASE64 = 1 << 12;
/** A POSIX user name, somewhat wider than `useradd` allows. */
export const USER_NAME = 1 << 13;
/** `WORD` without non-ASCII bytes: other scripts put no space between a word and an address or a number. */
export const IDENTIFIER = 1 << 14;
export const LETTER = 1 << 15;

export const SPACE = BLANK | EOL;

const table = new Uint16Array(256);
/** The classes of each of the 256 bytes. (Two names, because a module reads its own exports more slowly.) */
export const CLASS: Uint16Array = table;

mark('0123456789', DIGIT | HEX | ALNUM | WORD | TOKEN | KEY | LOCAL_PART | HOST | BASE64 | USER_NAME | IDENTIFIER);
mark('abcdefABCDEF', HEX);
mark('ABCDEFGHIJKLMNOPQRSTUVWXYZ', UPPER);
for (const letters of ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ']) {
  mark(letters, LETTER | ALNUM | WORD | TOKEN | KEY | LOCAL_PART | HOST | BASE64 | USER_NAME | IDENTIFIER);
}
mark('_', WORD | TOKEN | KEY | LOCAL_PART | USER_NAME | IDENTIFIER);
mark('-', TOKEN | KEY | LOCAL_PART | HOST | USER_NAME);
mark('.', KEY | LOCAL_PART | HOST | USER_NAME);
mark('%+', LOCAL_PART);
mark('@', USER_NAME);
mark('+/=', BASE64);
mark(' \t', BLANK);
mark('\r\n\0', EOL);
mark('"\'`', QUOTE);
for (let byte = 0x80; byte <= 0xff; byte++) {
  table[byte] = WORD | LOCAL_PART | HOST | USER_NAME;
}

/** Returns whether `byte` has one of the classes in `mask`. */
export function is(byte: number, mask: number): boolean {
  return (table[byte]! & mask) !== 0;
}

const NO_LIMIT = 0x3fff_ffff;

/** Returns the first index from `from` whose byte has none of the classes in `mask`, at most `limit` bytes further. */
export function skip(text: Uint8Array, from: number, mask: number, limit = NO_LIMIT): number {
  const stop = from + limit;
  let at = from;
  while (at < stop && (table[text[at]!]! & mask) !== 0) {
    at++;
  }
  return at;
}

/** Returns the first index from `from` whose byte has one of the classes in `mask`. */
export function find(text: Uint8Array, from: number, mask: number): number {
  let at = from;
  while ((table[text[at]!]! & mask) === 0) {
    at++;
  }
  return at;
}

/** Returns the lowest index from which all bytes up to `end` have a class in `mask`, at most `limit` bytes before `end`. */
export function skipBack(text: Uint8Array, end: number, mask: number, limit: number): number {
  const stop = end - limit;
  let at = end;
  while (at > stop && (table[text[at - 1]!]! & mask) !== 0) {
    at--;
  }
  return at;
}

/** Returns the bytes of an ASCII word. */
export function bytesOf(word: string): Uint8Array {
  return Uint8Array.from(word, (letter) => letter.charCodeAt(0));
}

/** Returns whether `word` stands at `at`. */
export function startsWith(text: Uint8Array, at: number, word: Uint8Array): boolean {
  for (let i = 0; i < word.length; i++) {
    if (text[at + i] !== word[i]) {
      return false;
    }
  }
  return true;
}

/** Returns whether `word` (lower-case letters, digits, spaces) stands at `at` in any case. */
export function startsWithAnyCase(text: Uint8Array, at: number, word: Uint8Array): boolean {
  for (let i = 0; i < word.length; i++) {
    if ((text[at + i]! | 0x20) !== word[i]) {
      return false;
    }
  }
  return true;
}

/** Returns the bytes from `start` to `end` as a string with one character per byte. */
export function latin1(text: Buffer, start: number, end: number): string {
  return text.toString('latin1', start, end);
}

function mark(characters: string, classes: number): void {
  for (const byte of bytesOf(characters)) {
    table[byte]! |= classes;
  }
}
