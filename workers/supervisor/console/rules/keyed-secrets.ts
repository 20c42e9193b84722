import { BLANK, bytesOf, EOL, find, HOST, is, KEY, latin1, QUOTE, SPACE, skip, skipBack } from '../byte-classes.ts';
import type { Hits } from '../hits.ts';
import { KIND } from '../kinds.ts';
import { isAccountOfNobody } from './home-folders.ts';
import { isPlainWord, KEY_MEANS, type KeyMeaning, lastWordOfKey, meaningOfKey } from './secret-keys.ts';
import { isPlaceholder, looksSecret, readValue, type Value } from './secret-values.ts';

const COLON = 0x3a;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const BACKSLASH = 0x5c;
const CLOSE = 0x5d;
const OPEN = 0x5b;

/** How the key of a value was written, which decides how much a value must look like a secret. */
interface Place {
  readonly keyEnd: number;
  readonly keyQuoted: boolean;
  /** `: ` rather than `=` or `":"`: prose has that too. */
  readonly likeProse: boolean;
}

/** Secrets behind `=` or `:`, as in properties, YAML, JSON, maps, query strings and headers. */
export function keyedSecret(text: Buffer, separator: number, hits: Hits): number {
  let keyEnd = separator;
  let last = text[separator - 1]!;
  if (is(last, BLANK)) {
    keyEnd = skipBack(text, separator, BLANK, 3);
    last = text[keyEnd - 1]!;
  }
  const keyQuoted = is(last, QUOTE) || (last === CLOSE && is(text[keyEnd - 2]!, QUOTE));
  if (keyQuoted) {
    keyEnd -= last === CLOSE ? 2 : 1;
    if (text[keyEnd - 1] === BACKSLASH) {
      keyEnd--;
    }
  }
  const meaning = meaningOfKey(text, keyEnd);
  if (meaning === KEY_MEANS.nothing) {
    return 0;
  }
  let at = separator + 1;
  if (text[at] === EQUALS || text[at] === GREATER || (text[at] === COLON && text[separator] === COLON)) {
    at++; // `==`, `=>`, `::`
  }
  const likeProse = text[separator] === COLON && !keyQuoted && is(text[at]!, BLANK);
  return secretAt(text, at, meaning, { keyEnd, keyQuoted, likeProse }, hits);
}

/** Secrets behind a flag: `--accessToken x`, `--rcon.password "x"`, and in printed lists `[--accessToken, x]`. Answers 0 if there are none. */
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

function isHarmless(text: Buffer, value: Value, meaning: KeyMeaning, place: Place): boolean {
  if (text[value.start] === 0x7b || isPlaceholder(text, value)) {
    return true; // an object's own keys are looked at by themselves
  }
  if (meaning === KEY_MEANS.user) {
    return isAccountOfNobody(text, value.start, value.end);
  }
  const isProse = place.likeProse && isPlainWord(text, place.keyEnd);
  if ((isProse && isComplaint(text, place.keyEnd)) || meaning === KEY_MEANS.perhapsToken) {
    return !looksSecret(text, value.start, value.end);
  }
  if (place.keyQuoted || value.quoted || !isPlainWord(text, place.keyEnd)) {
    return false;
  }
  if (meaning === KEY_MEANS.password && !isPass(text, place.keyEnd)) {
    return false;
  }
  return isProse ? !looksSecret(text, value.start, value.end) : value.end - value.start < 3; // `pass=2`, `token=0`
}

function isPass(text: Uint8Array, keyEnd: number): boolean {
  return keyEnd - lastWordOfKey(text, keyEnd) === 4;
}

const COMPLAINTS = new Set(
  'unexpected expected unknown illegal invalid incorrect wrong bad missing empty weak short old'.split(' '),
);

/** `Unexpected token: x`, `Invalid password: too short`: the word before says that prose follows. */
function isComplaint(text: Buffer, keyEnd: number): boolean {
  const wordStart = lastWordOfKey(text, keyEnd);
  const end = skipBack(text, wordStart, BLANK, 2);
  const start = skipBack(text, end, KEY, 16);
  return end < wordStart && COMPLAINTS.has(latin1(text, start, end).toLowerCase());
}

const SCHEMES = new Set('basic bearer digest negotiate token bot apikey agent-key aws4-hmac-sha256'.split(' '));

/** `Authorization: Bearer x`, `Authorization: "Basic x"`, `{Authorization=[Bearer x]}`: the scheme stays (RFC 9110, 11.6.2). */
function authorization(text: Buffer, at: number, hits: Hits): number {
  let start = skip(text, at, BLANK);
  while (is(text[start]!, QUOTE) || text[start] === OPEN || text[start] === BACKSLASH) {
    start++;
  }
  const schemeEnd = skip(text, start, HOST, 24);
  const word = is(text[schemeEnd]!, BLANK) ? latin1(text, start, schemeEnd).toLowerCase() : '';
  const scheme = SCHEMES.has(word) ? word : '';
  const value = readValue(text, scheme === '' ? start : schemeEnd);
  if (value === undefined || (scheme === '' && !looksSecret(text, value.start, value.end))) {
    return 0;
  }
  // Digest and AWS's signature have parameters up to the end of the header.
  const hasParameters = scheme === 'digest' || scheme.startsWith('aws4');
  const end = hasParameters ? find(text, value.start, EOL) : endOfHeaderWord(text, value);
  if (isPlaceholder(text, { start: value.start, end, quoted: false })) {
    return 0;
  }
  hits.add(value.start, end, KIND.token);
  return end;
}

const ENDS_HEADER_WORD = new Set(bytesOf('",\']}\\'));

function endOfHeaderWord(text: Uint8Array, value: Value): number {
  if (text[value.start] === OPEN) {
    return value.end;
  }
  let end = value.start;
  while (end < value.end && !ENDS_HEADER_WORD.has(text[end]!)) {
    end++;
  }
  return end === value.start ? value.end : end;
}

/** All of a `Cookie:` or `Set-Cookie:` header (RFC 6265), told from the food by its `name=value`. */
function cookie(text: Buffer, at: number, hits: Hits): number {
  let start = skip(text, at, BLANK);
  let quote = 0;
  while (is(text[start]!, QUOTE) || text[start] === OPEN || text[start] === BACKSLASH) {
    quote = text[start]! === OPEN ? CLOSE : text[start]!;
    start++;
  }
  const name = skip(text, start, KEY);
  if (name === start || text[name] !== EQUALS || is(text[name + 1]!, SPACE)) {
    return 0;
  }
  let end = start;
  while (!is(text[end]!, EOL) && (quote === 0 || text[end] !== quote)) {
    end++;
  }
  hits.add(start, end, KIND.token);
  return end;
}
