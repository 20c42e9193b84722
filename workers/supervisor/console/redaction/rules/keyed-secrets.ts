import { isHarmless, type Place } from '../clues/harmless-values.ts';
import { endWithoutNumber, KEY_MEANS, type KeyMeaning, meaningOfKey } from '../clues/secret-keys.ts';
import { looksSecret } from '../clues/secret-looks.ts';
import { readValue } from '../clues/secret-values.ts';
import { KIND } from '../kinds.ts';
import { BLANK, DIGIT, EOL, find, is, KEY, QUOTE, SPACE, skip, skipBack, startsWith } from '../scan/byte-classes.ts';
import type { Hits } from '../scan/hits.ts';
import { authorization, cookie } from './http-headers.ts';

const COLON = 0x3a;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const BACKSLASH = 0x5c;
const CLOSE = 0x5d;

/** Secrets after `=` or `:`, as in properties, YAML, JSON, maps, query strings and headers. */
export function keyedSecret(text: Buffer, separator: number, hits: Hits): number {
  return secretBehind(text, separator, 1, hits);
}

/** The same after a key with a number: `password2=x`, `token_1: x`. Most calls are for times and line numbers. */
export function numberedSecret(text: Buffer, separator: number, hits: Hits): number {
  return meaningOfKey(text, endWithoutNumber(text, separator)) === KEY_MEANS.nothing
    ? 0
    : secretBehind(text, separator, 1, hits);
}

/** The same after `->`, at its second byte. */
export function arrowedSecret(text: Buffer, at: number, hits: Hits): number {
  return secretBehind(text, at - 1, 2, hits);
}

const WIDE = ['→', '⇒', '：', '＝'].map((separator) => Buffer.from(separator));

/** The same after one of these separators, at its first byte. */
export function widelySeparatedSecret(text: Buffer, at: number, hits: Hits): number {
  return WIDE.some((separator) => startsWith(text, at, separator)) ? secretBehind(text, at, 3, hits) : 0;
}

/** Secrets in the next cell of a table: `| password | hunter2 |`. They must look like one, because usage texts have the same mark. */
export function tabledSecret(text: Buffer, pipe: number, hits: Hits): number {
  const start = skip(text, pipe + 1, BLANK);
  return looksSecret(text, start, find(text, start, SPACE)) ? secretBehind(text, pipe, 1, hits) : 0;
}

/** Secrets after a flag: `--accessToken x`, `--rcon.password "x"`, and in printed lists `[--accessToken, x]`. */
export function flaggedSecret(text: Buffer, dash: number, hits: Hits): number {
  const name = text[dash + 1] === 0x2d ? dash + 2 : dash + 1;
  const keyEnd = skip(text, name, KEY, 64);
  if (keyEnd === name) {
    return 0;
  }
  let at = is(text[keyEnd]!, QUOTE) ? keyEnd + 1 : keyEnd;
  if (text[at] === 0x2c) {
    at++;
  }
  if (!is(text[at]!, BLANK)) {
    return 0;
  }
  const meaning = meaningOfKey(text, keyEnd);
  const next = skip(text, at, BLANK);
  if (meaning === KEY_MEANS.nothing || text[next] === 0x2d || is(text[next]!, EOL)) {
    return 0;
  }
  return secretAt(text, at, meaning, { keyEnd, keyQuoted: true, likeProse: false }, hits);
}

/** `length` is the length of the separator in bytes. */
function secretBehind(text: Buffer, separator: number, length: number, hits: Hits): number {
  let keyEnd = separator;
  let last = text[separator - 1]!;
  if (is(last, BLANK)) {
    keyEnd = skipBack(text, separator, BLANK, WIDEST_GAP);
    last = text[keyEnd - 1]!;
  }
  const keyQuoted = is(last, QUOTE) || (last === CLOSE && is(text[keyEnd - 2]!, QUOTE));
  if (keyQuoted) {
    keyEnd -= last === CLOSE ? 2 : 1;
    if (text[keyEnd - 1] === BACKSLASH) {
      keyEnd--;
    }
  } else if (is(last, DIGIT)) {
    keyEnd = endWithoutNumber(text, keyEnd);
  }
  const meaning = meaningOfKey(text, keyEnd);
  if (meaning === KEY_MEANS.nothing) {
    return 0;
  }
  let at = separator + length;
  if (text[at] === EQUALS || text[at] === GREATER || (text[at] === COLON && text[separator] === COLON)) {
    at++; // `==`, `=>`, `::`
  }
  const likeProse = text[separator] === COLON && !keyQuoted && is(text[at]!, BLANK);
  return secretAt(text, at, meaning, { keyEnd, keyQuoted, likeProse }, hits);
}

/** Blanks between a key and its separator, in aligned columns. */
const WIDEST_GAP = 40;

function secretAt(text: Buffer, at: number, meaning: KeyMeaning, place: Place, hits: Hits): number {
  switch (meaning) {
    case KEY_MEANS.authorization:
      return authorization(text, at, hits);
    case KEY_MEANS.cookie:
      return cookie(text, at, hits) || secretAt(text, at, KEY_MEANS.perhapsToken, place, hits);
    default: {
      const value = readValue(text, at);
      if (value === undefined || isHarmless(text, value, meaning, place)) {
        return 0;
      }
      hits.add(value.start, value.end, kindOf(meaning));
      return value.end;
    }
  }
}

function kindOf(meaning: KeyMeaning): (typeof KIND)['secret' | 'token' | 'user'] {
  if (meaning === KEY_MEANS.user) {
    return KIND.user;
  }
  return meaning === KEY_MEANS.password ? KIND.secret : KIND.token;
}
