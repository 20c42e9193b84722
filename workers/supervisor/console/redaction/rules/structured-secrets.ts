import { KEY_MEANS, type KeyMeaning, meaningOfKey } from '../clues/secret-keys.ts';
import { isPlaceholder, looksSecret, mixesLettersAndDigits } from '../clues/secret-looks.ts';
import { readValue } from '../clues/secret-values.ts';
import { KIND } from '../kinds.ts';
import { ALNUM, BLANK, bytesOf, EOL, is, KEY, QUOTE, skip, skipBack, startsWithAnyCase } from '../scan/byte-classes.ts';
import type { Hits } from '../scan/hits.ts';

const CLOSE = 0x29;
const BACKSLASH = 0x5c;
const GREATER = 0x3e;
const COLON = 0x3a;
const LONGEST_KEY = 64;
/** Ends the search for the beginning of an element's content. */
const ENDS_CONTENT = new Set(bytesOf('<>\r\n\0'));
/** In bytes. Longer content is not a password. */
const LONGEST_CONTENT = 1024;

/**
 * Secrets as arguments, at the opening bracket: `setPassword("x")`, `PASSWORD('x')`. Stack traces and signatures have names there, so without
 * quotes only a mix of letters and digits counts.
 */
export function argumentSecret(text: Buffer, bracket: number, hits: Hits): number {
  const meaning = meaningOfSecretKey(text, bracket);
  if (meaning === KEY_MEANS.nothing) {
    return 0;
  }
  const start = bracket + 1;
  if (is(text[start]!, QUOTE | BLANK) || text[start] === BACKSLASH) {
    const value = readValue(text, start);
    return value?.quoted && !isPlaceholder(text, value) ? add(value.start, value.end, meaning, hits) : 0;
  }
  const end = skip(text, start, ALNUM, LONGEST_KEY);
  return text[end] === CLOSE && mixesLettersAndDigits(text, start, end) ? add(start, end, meaning, hits) : 0;
}

/**
 * The next argument or element, at the comma after its name: `put("password", "x")`. Longer lists may consist of names
 * (`["none", "password", "publickey"]`): there the value must look like a secret.
 */
export function listedSecret(text: Buffer, comma: number, hits: Hits): number {
  const meaning = meaningOfQuoted(text, comma);
  const value = meaning === KEY_MEANS.nothing ? undefined : readValue(text, comma + 1);
  if (value === undefined || !value.quoted || isPlaceholder(text, value)) {
    return 0;
  }
  const keyStart = skipBack(text, comma - 1, KEY, LONGEST_KEY) - 1;
  const isPair = OPENING.has(text[keyStart - 1]!) && CLOSING.has(text[value.end + 1]!);
  const isAlone = is(text[keyStart - 1]!, EOL) && is(text[value.end + 1]!, EOL);
  if (!isPair && !isAlone && !looksSecret(text, value.start, value.end)) {
    return 0;
  }
  return add(value.start, value.end, meaning, hits);
}

const OPENING = new Set(bytesOf('([{'));
const CLOSING = new Set(bytesOf(')]}'));

const ATTRIBUTE = bytesOf('value');

/** An XML element's attribute, at its equals sign: `<property name="password" value="x"/>`. */
export function attributeSecret(text: Buffer, equals: number, hits: Hits): number {
  const name = equals - ATTRIBUTE.length;
  const keyEnd = skipBack(text, name, BLANK, 8);
  if (keyEnd === name || !startsWithAnyCase(text, name, ATTRIBUTE)) {
    return 0;
  }
  const meaning = meaningOfQuoted(text, keyEnd);
  const value = meaning === KEY_MEANS.nothing ? undefined : readValue(text, equals + 1);
  return value === undefined || isPlaceholder(text, value) ? 0 : add(value.start, value.end, meaning, hits);
}

/** An XML element's content, at the slash of the tag that closes it: `<password>x</password>`, `<entry key="password">x</entry>`. */
export function elementSecret(text: Buffer, slash: number, hits: Hits): number {
  const end = slash - 1;
  let start = end;
  while (start > end - LONGEST_CONTENT && !ENDS_CONTENT.has(text[start - 1]!)) {
    start--;
  }
  const tagEnd = start - 1;
  if (start === end || text[tagEnd] !== GREATER) {
    return 0;
  }
  let closing = skip(text, slash + 1, KEY, LONGEST_KEY);
  if (text[closing] === COLON) {
    closing = skip(text, closing + 1, KEY, LONGEST_KEY); // `</db:password>`
  }
  const named = meaningOfSecretKey(text, closing);
  const meaning = named === KEY_MEANS.nothing ? meaningOfQuoted(text, tagEnd) : named;
  if (meaning !== KEY_MEANS.nothing && !isPlaceholder(text, { start, end, quoted: true })) {
    add(start, end, meaning, hits);
  }
  return 0;
}

/** MySQL's `IDENTIFIED BY 'x'`, at the `D`. */
export function identifiedBy(text: Buffer, d: number, hits: Hits): number {
  const start = d + 1 - 'identified'.length;
  const value = startsWithAnyCase(text, start, IDENTIFIED) ? readValue(text, start + IDENTIFIED.length) : undefined;
  return value?.quoted ? add(value.start, value.end, KEY_MEANS.password, hits) : 0;
}

const IDENTIFIED = bytesOf('identified by');

/** Returns the meaning of the quoted word that ends before `end`. */
function meaningOfQuoted(text: Buffer, end: number): KeyMeaning {
  if (!is(text[end - 1]!, QUOTE)) {
    return KEY_MEANS.nothing;
  }
  const start = skipBack(text, end - 1, KEY, LONGEST_KEY);
  return is(text[start - 1]!, QUOTE) ? meaningOfSecretKey(text, end - 1) : KEY_MEANS.nothing;
}

function meaningOfSecretKey(text: Buffer, end: number): KeyMeaning {
  const meaning = meaningOfKey(text, end);
  return meaning === KEY_MEANS.password || meaning === KEY_MEANS.token ? meaning : KEY_MEANS.nothing;
}

function add(start: number, end: number, meaning: KeyMeaning, hits: Hits): number {
  hits.add(start, end, meaning === KEY_MEANS.password ? KIND.secret : KIND.token);
  return end;
}
