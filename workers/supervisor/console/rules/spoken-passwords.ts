import { BLANK, bytesOf, is, latin1, QUOTE, SPACE, skip, startsWithAnyCase } from '../byte-classes.ts';
import type { Hits } from '../hits.ts';
import { KIND } from '../kinds.ts';
import { isPlaceholder, looksSecret, readValue } from './secret-values.ts';

const COLON = 0x3a;
const GREATER = 0x3e;
const LESS = 0x3c;

const PASSWORD = bytesOf('password');
const PASSWD = bytesOf('passwd');
/** Letters before the `w` that the scan stops at. */
const BEFORE_W = 4;
/** `password for user steve is now x`. */
const MOST_WORDS = 5;

const LEADS_TO_VALUE = new Set(['is', 'was', 'to', 'now', 'as']);

/**
 * Passwords in sentences, at the `w`: `The RCON password is x7Kq`, `Password for admin: x7Kq`, `changed password to x7Kq`,
 * `<password>x7Kq</password>`. Only what looks made up is taken, so that `password is incorrect` stays.
 * Answers 0 always: what stands between
 * is to be scanned as well.
 */
export function spokenPassword(text: Buffer, w: number, hits: Hits): number {
  const start = w - BEFORE_W;
  let at = start;
  if (startsWithAnyCase(text, start, PASSWORD)) {
    at += PASSWORD.length;
  } else if (startsWithAnyCase(text, start, PASSWD)) {
    at += PASSWD.length;
  } else {
    return 0;
  }
  if (text[at] === GREATER) {
    addElementContent(text, at + 1, hits);
    return 0;
  }
  for (let word = 0; word < MOST_WORDS && is(text[at]!, BLANK); word++) {
    const wordStart = skip(text, at, BLANK);
    at = wordStart;
    while (!is(text[at]!, SPACE)) {
      at++;
    }
    const endsInColon = text[at - 1] === COLON && at > wordStart;
    const bare = latin1(text, wordStart, endsInColon ? at - 1 : at).toLowerCase();
    if (endsInColon || LEADS_TO_VALUE.has(bare)) {
      const value = readValue(text, at);
      if (value !== undefined && !isPlaceholder(text, value) && looksSecret(text, value.start, value.end)) {
        hits.add(value.start, value.end, KIND.secret);
        return 0;
      }
    }
  }
  return 0;
}

function addElementContent(text: Buffer, start: number, hits: Hits): void {
  let end = start;
  while (text[end] !== LESS && !is(text[end]!, SPACE | QUOTE)) {
    end++;
  }
  if (end > start && text[end] === LESS) {
    hits.add(start, end, KIND.secret);
  }
}
