import { isName } from '../kinds.ts';
import { ALNUM, BLANK, bytesOf, DIGIT, EOL, is, latin1, skip, UPPER, WORD } from '../scan/byte-classes.ts';
import type { Value } from './secret-values.ts';

/** Returns whether the value stands for a missing or hidden one: `null`, `********`, `<password>`, `${DB_PASSWORD}`, `[hidden]`. */
export function isPlaceholder(text: Buffer, { start, end }: Value): boolean {
  if (end - start > LONGEST_PLACEHOLDER) {
    return false;
  }
  const value = latin1(text, start, end);
  return STANDS_FOR_A_SECRET.test(value) || NOT_SECRET.has(wordIn(value)) || isName(value.replace(/^\{|\}$/g, ''));
}

/** Returns whether the value is a state, as logs have it after `Session ID:`: `done`, `created`. */
export function isState(text: Buffer, { start, end }: Value): boolean {
  return end - start <= LONGEST_PLACEHOLDER && STATES.has(wordIn(latin1(text, start, end)));
}

/** Returns whether the value begins a sentence about the secret: `password: use at least 8 characters`. */
export function beginsAdvice(text: Buffer, { start, end }: Value): boolean {
  const next = skip(text, end, BLANK);
  return next > end && !is(text[next]!, EOL) && ADVICE.has(wordIn(latin1(text, start, end)));
}

const LONGEST_PLACEHOLDER = 48;

const STANDS_FOR_A_SECRET =
  /^(?:\$?\{+[\w.: -]*\}+|\$[A-Z_]+|%\w*%?|<.*>|\*+|\?+|#+|-+|\.+|[xX]{3,}|(?:\xe2\x80\xa2)+)$/;

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const NOT_SECRET = words(
  'null nil none true false yes no undefined unset empty hidden redacted masked set not is was are must may cannot ' +
    'required optional missing invalid incorrect wrong expired disabled enabled accepted rejected ok failed ' +
    'protected filtered censored omitted removed encrypted hashed unknown n/a',
);
const STATES = words(
  'done created valid loaded found ready saved generated sent received verified active inactive started closed changed ' +
    'updated deleted revoked refreshed reset renewed restored registered confirmed obsolete outdated mismatch',
);
const ADVICE = words(
  'use please enter type see must should the a an your you to for at in on with and or if this that will can needs only ' +
    'minimum min max between choose check try read make ask type contains has needs length longer shorter more less',
);

/** Returns the word without brackets and marks: `hidden` in `[hidden]`, `(hidden)`, `*hidden*`. */
function wordIn(value: string): string {
  return value.replace(/^[([{<*_-]+|[)\]}>*_.!]+$/g, '').toLowerCase();
}

/**
 * Returns whether the word looks generated rather than written: four characters or more with a digit, a symbol or an inner capital, or
 * longer than words are. This separates `token: 9fK2x` from prose such as `token: expired`.
 */
export function looksSecret(text: Uint8Array, start: number, end: number): boolean {
  let last = end;
  while (last > start && !is(text[last - 1]!, WORD)) {
    last--;
  }
  if (last - start < 4) {
    return false;
  }
  for (let at = start; at < last; at++) {
    const byte = text[at]!;
    if (is(byte, DIGIT) || (!is(byte, WORD) && !PROSE.has(byte))) {
      return true;
    }
    if (at > start && is(byte, UPPER) && !is(text[at - 1]!, UPPER)) {
      return true;
    }
  }
  return last - start >= 20;
}

const PROSE = new Set(bytesOf('-.,:;\'"()[]/'));

/** Returns whether the text consists of at least six letters and digits, with some of both: neither a word nor a number nor a file. */
export function mixesLettersAndDigits(text: Uint8Array, start: number, end: number): boolean {
  let digits = 0;
  for (let at = start; at < end; at++) {
    if (!is(text[at]!, ALNUM)) {
      return false;
    }
    digits += is(text[at]!, DIGIT) ? 1 : 0;
  }
  return end - start >= 6 && digits > 0 && digits < end - start;
}
