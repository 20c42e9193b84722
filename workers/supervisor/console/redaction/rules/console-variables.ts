import { isPlainWord, lastWordOfKey } from '../clues/secret-keys.ts';
import { beginsAdvice, isPlaceholder, isState } from '../clues/secret-looks.ts';
import { readValue, type Value } from '../clues/secret-values.ts';
import { KIND } from '../kinds.ts';
import {
  BLANK,
  bytesOf,
  DIGIT,
  EOL,
  find,
  is,
  KEY,
  QUOTE,
  skip,
  skipBack,
  startsWithAnyCase,
  WORD,
} from '../scan/byte-classes.ts';
import type { Hits } from '../scan/hits.ts';

const COLON = 0x3a;
const CARET = 0x5e;
const IS = bytesOf('is');
const DEFAULT = bytesOf('default');
const RCON = bytesOf('rcon');
const LONGEST_KEY = 64;
/** `company_pw 12 x`: the number of the company comes first. */
const LONGEST_NUMBER = 3;

/** A game console's variable that ends in `pw`, at the `w`: `rcon_pw x`, `server_pw "x"`. */
export function abbreviatedVariable(text: Buffer, w: number, hits: Hits): number {
  return passwordVariable(text, w + 1, hits);
}

/**
 * The value of a game console's variable whose name ends before `keyEnd` in a word for "password", as it is shown
 * (`"rconPassword" is:"x^7" default:"^7"`, `'network.rcon_password' is 'x'`, `rconPassword "x"`) or typed (`rcon_password x`).
 */
export function passwordVariable(text: Buffer, keyEnd: number, hits: Hits): number {
  if (is(text[keyEnd]!, QUOTE)) {
    return shownValue(text, keyEnd + 1, hits);
  }
  if (!is(text[keyEnd]!, BLANK) || !isVariable(text, keyEnd)) {
    return 0;
  }
  const number = skip(text, keyEnd + 1, DIGIT, LONGEST_NUMBER);
  const hasNumber = number > keyEnd + 1 && is(text[number]!, BLANK) && !is(text[skip(text, number, BLANK)]!, EOL);
  const value = readValue(text, hasNumber ? number : keyEnd);
  return value !== undefined && isTyped(text, value) ? add(text, value, hits) : 0;
}

/** Adds the value in quotes behind ` is` or ` is:`, and the default behind that. */
function shownValue(text: Buffer, at: number, hits: Hits): number {
  const start = skip(text, at, BLANK);
  if (start === at || !startsWithAnyCase(text, start, IS)) {
    return 0;
  }
  const behind = start + IS.length;
  const value = readValue(text, text[behind] === COLON ? behind + 1 : behind);
  if (!value?.quoted) {
    return 0;
  }
  const end = add(text, value, hits) || value.end;
  const next = skip(text, end + 1, BLANK);
  const hasDefault = startsWithAnyCase(text, next, DEFAULT) && text[next + DEFAULT.length] === COLON;
  const byDefault = hasDefault ? readValue(text, next + DEFAULT.length + 1) : undefined;
  return byDefault?.quoted ? add(text, byDefault, hits) || byDefault.end : end;
}

/** Returns whether the key is a variable's name rather than a word of a sentence: `server_pw`, `sv_privatePassword`, `rconpassword`. */
function isVariable(text: Buffer, keyEnd: number): boolean {
  return !isPlainWord(text, keyEnd)
    ? startsWord(text, keyEnd)
    : startsWithAnyCase(text, wordBefore(text, keyEnd), RCON);
}

/** `pw` in `rcon_pw`, not in `hpw`. */
function startsWord(text: Buffer, keyEnd: number): boolean {
  const start = lastWordOfKey(text, keyEnd);
  return start > wordBefore(text, keyEnd);
}

function wordBefore(text: Buffer, keyEnd: number): number {
  return skipBack(text, keyEnd, KEY, LONGEST_KEY);
}

/** A typed value is in quotes or ends the line; otherwise the name is mentioned in a sentence. */
function isTyped(text: Buffer, value: Value): boolean {
  const isLast = is(text[skip(text, value.end, BLANK)]!, EOL);
  const hasWord = find(text, value.start, WORD | EOL) < value.end; // unlike `%+`, in help texts
  return value.quoted || (isLast && hasWord && !isState(text, value) && !beginsAdvice(text, value));
}

function add(text: Buffer, { start, end, quoted }: Value, hits: Hits): number {
  const isColour = text[start] === CARET && end - start === 2;
  if (isColour || isPlaceholder(text, { start, end, quoted })) {
    return 0;
  }
  hits.add(start, end, KIND.secret);
  return end;
}
