import { isPlaceholder, looksSecret } from '../clues/secret-looks.ts';
import { readValue, type Value } from '../clues/secret-values.ts';
import { KIND } from '../kinds.ts';
import { BLANK, bytesOf, EOL, find, HOST, is, KEY, latin1, QUOTE, SPACE, skip } from '../scan/byte-classes.ts';
import type { Hits } from '../scan/hits.ts';

const EQUALS = 0x3d;
const BACKSLASH = 0x5c;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const BRACE = 0x7b;

const SCHEMES = new Set(
  'basic bearer digest negotiate ntlm token bot apikey agent-key key hawk oauth aws aws4-hmac-sha256 sharedkey'.split(
    ' ',
  ),
);
/** Schemes whose parameters extend to the end of the header. */
const WITH_PARAMETERS = new Set(['digest', 'hawk', 'oauth', 'aws4-hmac-sha256']);

/** `Authorization: Bearer x`, `Authorization: "Basic x"`, `{Authorization=[Bearer x]}`: the scheme stays (RFC 9110, 11.6.2). */
export function authorization(text: Buffer, at: number, hits: Hits): number {
  let start = skip(text, at, BLANK);
  while (is(text[start]!, QUOTE) || text[start] === OPEN || text[start] === BACKSLASH) {
    start++;
  }
  const schemeEnd = skip(text, start, HOST, 24);
  const word = is(text[schemeEnd]!, BLANK) ? latin1(text, start, schemeEnd).toLowerCase() : '';
  const scheme = SCHEMES.has(word);
  const value = readValue(text, scheme ? schemeEnd : start);
  if (value === undefined) {
    return 0;
  }
  if (!scheme && !looksSecret(text, value.start, value.end)) {
    return word === '' ? 0 : unknownScheme(text, schemeEnd, hits);
  }
  const end = WITH_PARAMETERS.has(word) ? find(text, value.start, EOL) : endOfHeaderWord(text, value);
  if (isPlaceholder(text, { start: value.start, end, quoted: false })) {
    return 0;
  }
  hits.add(value.start, end, KIND.token);
  return end;
}

/** `Authorization: Foo x` is a sentence unless `x` looks like a secret. */
function unknownScheme(text: Buffer, schemeEnd: number, hits: Hits): number {
  const value = readValue(text, schemeEnd);
  if (value === undefined || !looksSecret(text, value.start, value.end)) {
    return 0;
  }
  const end = endOfHeaderWord(text, value);
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

const CLOSING: Readonly<Record<number, number>> = { [OPEN]: CLOSE, [BRACE]: 0x7d };

/** All of a `Cookie:` or `Set-Cookie:` header (RFC 6265), which begins with `name=value`. */
export function cookie(text: Buffer, at: number, hits: Hits): number {
  let start = skip(text, at, BLANK);
  let quote = 0;
  while (is(text[start]!, QUOTE) || text[start] === BACKSLASH || CLOSING[text[start]!] !== undefined) {
    quote = CLOSING[text[start]!] ?? text[start]!;
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
