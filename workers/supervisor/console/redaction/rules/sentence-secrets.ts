import { isPlaceholder, isState, looksSecret, mixesLettersAndDigits } from '../clues/secret-looks.ts';
import { readValue, type Value } from '../clues/secret-values.ts';
import { KIND } from '../kinds.ts';
import {
  ALNUM,
  BLANK,
  bytesOf,
  EOL,
  is,
  latin1,
  QUOTE,
  SPACE,
  skip,
  startsWithAnyCase,
  WORD,
} from '../scan/byte-classes.ts';
import type { Hits } from '../scan/hits.ts';
import { passwordVariable } from './console-variables.ts';

const COLON = 0x3a;

const PASSWORD = bytesOf('password');
const PASSWD = bytesOf('passwd');
/** Letters before the `w` at which the scan stops. */
const BEFORE_W = 4;
/** `password for user steve is now x`, `password has been changed to x`. */
const MOST_WORDS = 5;

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const LEADS_TO_VALUE = words('is was to now as');
/** After these, even a plain word at the end of a sentence is the password. */
const LEADS_TO_WORD = words('is now');
const CHANGES = words('changed set reset updated');
const LONGEST_LEAD = 12;
/** After these, the sentence is about something other than the password itself. */
const TURNS_AWAY = words(
  'password passwd hash hashing algorithm length policy strength encryption protection field settings reset',
);

/** What sentences say about passwords and sessions, besides participles and adjectives: `The password is too short`. */
const SAID = words(
  'too very so case-sensitive weak strong short long safe unsafe secure insecure correct right good bad fine okay same ' +
    'different identical empty blank valid plain default private secret public new old here there your yours this that ' +
    'mandatory necessary ready done a an the in on at by for of to from with only also just still already always never ' +
    'it you he she they we i up over back being now',
);
const PARTICIPLE = /(?:ed|ing|able|ible|n't)$/;
const ALGORITHM = /^(?:sha|md|argon|pbkdf|bcrypt|base)\d/;

/**
 * Passwords in sentences, at the `w`: `The RCON password is x7Kq`, `Password for admin: x7Kq`, `changed password to x7Kq`,
 * `with password x7Kq`. Unless it is in quotes or ends the sentence, the value must look generated, so `password is incorrect` stays.
 * Always returns 0, because the words in between must be scanned as well.
 */
export function passwordInSentence(text: Buffer, w: number, hits: Hits): number {
  const start = w - BEFORE_W;
  let at = start;
  if (startsWithAnyCase(text, start, PASSWORD)) {
    at += PASSWORD.length;
  } else if (startsWithAnyCase(text, start, PASSWD)) {
    at += PASSWD.length;
  } else {
    return 0;
  }
  if (passwordVariable(text, at, hits) > 0) {
    return 0;
  }
  let changed = false;
  for (let word = 0; word < MOST_WORDS && is(text[at]!, BLANK); word++) {
    const wordStart = skip(text, at, BLANK);
    at = wordStart;
    while (!is(text[at]!, SPACE)) {
      at++;
    }
    const endsInColon = text[at - 1] === COLON && at > wordStart;
    const bare = at - wordStart > LONGEST_LEAD ? '' : latin1(text, wordStart, endsInColon ? at - 1 : at).toLowerCase();
    const quoted = word === 0 && is(text[wordStart]!, QUOTE) ? readValue(text, wordStart) : undefined;
    if (quoted !== undefined && isPassword(text, quoted, true)) {
      return take(text, quoted, hits);
    }
    if (word === 0 && isMadeUp(text, { start: wordStart, end: at, quoted: false }, bare)) {
      return take(text, { start: wordStart, end: at, quoted: false }, hits);
    }
    if (TURNS_AWAY.has(bare)) {
      return 0;
    }
    changed ||= CHANGES.has(bare);
    if (endsInColon || LEADS_TO_VALUE.has(bare)) {
      const leadsToWord = LEADS_TO_WORD.has(bare) || (changed && bare === 'to');
      const value = readValue(text, at);
      if (value !== undefined && isPassword(text, value, leadsToWord)) {
        return take(text, value, hits);
      }
    }
  }
  return 0;
}

const TOKENS = ['token', 'key', 'secret'].map(bytesOf);
const SESSION_ID = bytesOf('session id');
/** Their last letters, in lower case. */
const LAST_LETTERS = new Set(bytesOf('nytd'));

/**
 * Tokens in sentences, at the `s` of `is`: `Your token is x7Kq99`, `The API key is x7Kq99`, `Session ID is x`. A token must look generated; a
 * session id is anything but a state.
 */
export function tokenInSentence(text: Buffer, s: number, hits: Hits): number {
  const end = s - 2;
  if (!is(text[s + 1]!, BLANK) || !is(text[end]!, BLANK) || !LAST_LETTERS.has(text[end - 1]! | 0x20)) {
    return 0;
  }
  const isSession = endsWith(text, end, SESSION_ID);
  if (!isSession && !TOKENS.some((name) => endsWith(text, end, name))) {
    return 0;
  }
  const value = readValue(text, s + 1);
  if (value === undefined || isPlaceholder(text, value)) {
    return 0;
  }
  const isToken = isSession ? !isSaidOfSession(text, value) : looksSecret(text, value.start, value.end);
  return isToken ? take(text, value, hits, KIND.token) : 0;
}

function isSaidOfSession(text: Buffer, value: Value): boolean {
  return startsWithAnyCase(text, value.start, KEYED) || isState(text, value) || isSaid(text, value);
}

function endsWith(text: Uint8Array, end: number, word: Uint8Array): boolean {
  return startsWithAnyCase(text, end - word.length, word);
}

/** `(Session ID is token:x:y)` has its own key. */
const KEYED = bytesOf('token:');

function isMadeUp(text: Buffer, value: Value, word: string): boolean {
  return (
    is(text[value.start]!, ALNUM) &&
    mixesLettersAndDigits(text, value.start, endOfWord(text, value)) &&
    !ALGORITHM.test(word)
  );
}

function isPassword(text: Buffer, value: Value, leadsToWord: boolean): boolean {
  if (isPlaceholder(text, value)) {
    return false;
  }
  const isWord = !isSaid(text, value) && (value.quoted || (leadsToWord && endsSentence(text, value.end)));
  return isWord || looksSecret(text, value.start, value.end);
}

/** Returns whether the value merely continues the sentence. */
function isSaid(text: Buffer, value: Value): boolean {
  const said = latin1(text, value.start, endOfWord(text, value)).toLowerCase();
  return said.includes(' ') || said.length < 3 || SAID.has(said) || PARTICIPLE.test(said);
}

/** Leaves out the full stop. */
function endOfWord(text: Uint8Array, { start, end, quoted }: Value): number {
  let at = end;
  while (!quoted && at > start && !is(text[at - 1]!, WORD)) {
    at--;
  }
  return at;
}

function endsSentence(text: Uint8Array, end: number): boolean {
  return is(text[end]!, EOL) || !is(text[end]!, BLANK) || is(text[skip(text, end, BLANK)]!, EOL);
}

/** Returns 0, so that the scan continues where it was. */
function take(text: Buffer, value: Value, hits: Hits, kind: (typeof KIND)['secret' | 'token'] = KIND.secret): 0 {
  const end = endOfWord(text, value);
  hits.add(value.start, end > value.start ? end : value.end, kind);
  return 0;
}
